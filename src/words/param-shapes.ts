/**
 * Shapes that the params of several rules have.
 */

export interface Limit {
  readonly limit: number;
  /** The limit as the schema writes it, if it is not what a double prints. */
  readonly written?: string;
}

// biome-ignore lint/complexity/noBannedTypes: the rule says everything
export type NoParams = {};
