/**
 * The payloads as types: what a payload is once it is valid. Bounds and lengths are in the docstrings only.
 *
 * Generated from schemas/*.schema.json by scripts/generate-types.js. Do not edit: change a schema and run
 * `node scripts/generate-types.js`.
 */

/**
 * An article, a discussion, a live discussion, a Q and A discussion or a comment, with its author, its application and
 * its states.
 */
export interface ContentItem {
  /**
   * Which content item. Any string.
   */
  '@id': string;
  /**
   * What sort of content item it is.
   */
  '@type': 'Article' | 'Discussion' | 'LiveDiscussion' | 'QAndADiscussion' | 'Comment';
  /**
   * The application the content item belongs to.
   */
  application: {
    /**
     * Which application. At least 1 character.
     */
    '@id': string;
    /**
     * What is referred to: an application.
     */
    '@type'?: 'Application';
    [k: string]: unknown;
  };
  /**
   * The category the content item is filed under.
   */
  category?: {
    /**
     * Which category. At least 1 character.
     */
    '@id': string;
    /**
     * What is referred to: a category.
     */
    '@type'?: 'Category';
    [k: string]: unknown;
  };
  /**
   * The topic the content item is about.
   */
  topic?: {
    /**
     * Which topic. At least 1 character.
     */
    '@id': string;
    /**
     * What is referred to: a topic.
     */
    '@type'?: 'Topic';
    [k: string]: unknown;
  };
  /**
   * The user or worker who wrote the content item.
   */
  author: {
    /**
     * Which user or worker. At least 1 character.
     */
    '@id': string;
    /**
     * Whether the author is a user of the service or a worker.
     */
    '@type': 'ServiceUser' | 'Worker';
    [k: string]: unknown;
  };
  /**
   * The title. At least 1 character.
   */
  title?: string;
  /**
   * The text itself. At least 1 character.
   */
  content: string;
  /**
   * Whether the content item is published.
   */
  publishStatus: {
    /**
     * The state: Unpublished or Published.
     */
    '@id': 'Unpublished' | 'Published';
    /**
     * What is referred to: a publish status.
     */
    '@type'?: 'PublishStatus';
    [k: string]: unknown;
  };
  /**
   * Whether the content item has been moderated, and with what result.
   */
  moderationStatus: {
    /**
     * The state: PendingModeration, PassedModeration or FailedModeration.
     */
    '@id': 'PendingModeration' | 'PassedModeration' | 'FailedModeration';
    /**
     * What is referred to: a moderation status.
     */
    '@type'?: 'ModerationStatus';
    [k: string]: unknown;
  };
  /**
   * The lowest age the content item is meant for. A whole number from 0 to 999.
   */
  minAge?: number;
  /**
   * The highest age the content item is meant for. A whole number from 0 to 999.
   */
  maxAge?: number;
  /**
   * When it starts. Any string.
   */
  startTime?: string;
  /**
   * When it ends. Any string.
   */
  endTime?: string;
  /**
   * The content item this one replies to.
   */
  replyTo?: {
    /**
     * Which content item. At least 1 character.
     */
    '@id': string;
    /**
     * What sort of content item it is.
     */
    '@type': 'Article' | 'Discussion' | 'LiveDiscussion' | 'QAndADiscussion' | 'Comment';
    [k: string]: unknown;
  };
  /**
   * The picture shown beside the content item.
   */
  thumbnail?: {
    /**
     * Which thumbnail. At least 1 character.
     */
    '@id': string;
    /**
     * What is referred to: a thumbnail.
     */
    '@type'?: 'Thumbnail';
    [k: string]: unknown;
  };
  [k: string]: unknown;
}

/**
 * A contract that ties a customer to an application, to monthly service hours and to an age range.
 */
export interface Contract {
  /**
   * What the payload is: a contract.
   */
  '@type': 'Contract';
  /**
   * What the contract is called. Any string.
   */
  name: string;
  /**
   * The customer the contract is made with.
   */
  customer?: {
    /**
     * What is referred to: a customer.
     */
    '@type'?: 'Customer';
    /**
     * Which customer. Any string.
     */
    '@id': string;
    [k: string]: unknown;
  };
  /**
   * When the contract starts. Exactly 20 characters.
   */
  startDate: string;
  /**
   * When the contract ends. Exactly 20 characters.
   */
  endDate: string;
  /**
   * When the contract takes effect. Exactly 20 characters.
   */
  effectiveDate: string;
  /**
   * Whether the contract is active.
   */
  active: boolean;
  /**
   * What the contract covers: an application, monthly hours, an age range and places.
   */
  coverage: {
    /**
     * The type of the coverage. Any string.
     */
    '@type': string;
    /**
     * Must be there; of any shape.
     */
    customer: unknown;
    /**
     * The application that is covered.
     */
    applicationCoverage: {
      /**
       * What is referred to: an application.
       */
      '@type'?: 'Application';
      /**
       * Which application. Any string.
       */
      '@id': string;
      [k: string]: unknown;
    };
    /**
     * Hours of counselling a month. A whole number from 0.
     */
    monthlyCounsellingHours: number;
    /**
     * I and P hours a month. A whole number from 0.
     */
    monthlyIandPHours: number;
    /**
     * Hours of dynamic moderation a month. A whole number from 0.
     */
    monthlyDynamicModerationHours: number;
    /**
     * The lowest age covered. A number from 1.
     */
    minAge: number;
    /**
     * The highest age covered. A number from 1 to 99.
     */
    maxAge: number;
    /**
     * Whether face to face service is covered.
     */
    faceToFace: boolean;
    /**
     * The places covered. May be empty.
     *
     * Items: One place.
     */
    subLocation: {
      /**
       * The type of the place. Any string.
       */
      '@type'?: string;
      /**
       * What the place is called. Any string.
       */
      name?: string;
      [k: string]: unknown;
    }[];
    [k: string]: unknown;
  };
  /**
   * Whom to ask about the contract. At least 1 character.
   */
  contactName: string;
  [k: string]: unknown;
}

/**
 * An emoji with its context, its type and, where one is given, a reason. No other members are allowed.
 */
export interface Emoji {
  /**
   * The JSON-LD context. Any string.
   */
  '@context': string;
  /**
   * The type of the payload. Any string.
   */
  '@type': string;
  /**
   * The emoji. Any string.
   */
  emoji: string;
  /**
   * Why the emoji was given. Any string.
   */
  reason?: string;
}

/**
 * A payload of any kind.
 *
 * A comparison of its `@type` narrows it as far as TypeScript can tell. The `@type` of an emoji payload may be any
 * string, and there is no type for "any string but these": so `'Article'` leaves `ContentItem | Emoji`, `'Contract'`
 * leaves `Contract | Emoji`, and any other string leaves `Emoji`. Among valid payloads only a contract has the type
 * `'Contract'`, and only a content item one of the five, since kinds are recognised in this order.
 * `isContract(payload)` or `'coverage' in payload` tells the compiler so, and `isContentItem(payload)` or `'author' in
 * payload`.
 */
export type Payload = ContentItem | Contract | Emoji;
