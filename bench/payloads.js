// @ts-check
// Payloads for measurements: realistic, of any kind, valid or with one fault, and always the same for the same seed. No
// payload of any real service is among them; every word, name and place comes from the lists below.

/** @typedef {'content' | 'contract' | 'emoji'} Kind */
/** @typedef {() => number} Random a number from 0 up to, and without, 1 */
/** @typedef {Record<string, unknown>} Payload */
/** @typedef {Record<string, unknown>} Changes paths of members (`author/@type`) to new values; undefined: the member goes */

/** Marks the place of a payload's number in its text: twelve digits. */
export const NUMBER_MARK = '@@@@@@@@@@@@';

/**
 * A small generator of the kind called mulberry32.
 * @param {number} seed
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A valid payload. `missingDefaults`: three members with a default are missing, all others with one are present.
 * @param {Kind} kind
 * @param {Random} random
 * @param {boolean} missingDefaults
 * @returns {Payload}
 */
export function makePayload(kind, random, missingDefaults) {
  const pick = new Pick(random);
  if (kind === 'emoji') return pick.ordered(emoji(pick));
  const payload = kind === 'content' ? content(pick) : contract(pick);
  if (missingDefaults) dropDefaults(kind, payload, pick);
  return pick.ordered(payload);
}

/**
 * The same with one fault.
 * @param {Kind} kind
 * @param {Random} random
 * @param {boolean} missingDefaults
 * @returns {Payload}
 */
export function makeInvalidPayload(kind, random, missingDefaults) {
  const payload = makePayload(kind, random, missingDefaults);
  change(payload, new Pick(random).one(FAULTS[kind]));
  return payload;
}

/**
 * A valid payload with one member more, which no schema lists, somewhere among its members.
 * @param {Kind} kind
 * @param {Random} random
 * @returns {Payload}
 */
export function makeUnlistedPayload(kind, random) {
  const members = Object.entries(makePayload(kind, random, false));
  members.splice(Math.floor(random() * members.length), 0, ['misplaced', { by: 'hand', times: 1 }]);
  return Object.fromEntries(members);
}

/** Choices made with one generator. */
class Pick {
  /** @param {Random} random */
  constructor(random) {
    this.random = random;
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  one(list) {
    return /** @type {T} */ (list[Math.floor(this.random() * list.length)]);
  }

  /** @param {number} share */
  chance(share) {
    return this.random() < share;
  }

  /**
   * @param {number} least
   * @param {number} most
   */
  whole(least, most) {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  /**
   * `payload` with its members in the order of the schema, or, one time in four, in any other.
   * @param {Payload} payload
   */
  ordered(payload) {
    if (!this.chance(0.25)) return payload;
    const keyed = Object.entries(payload).map((member) => ({ member, key: this.random() }));
    return Object.fromEntries(keyed.sort((a, b) => a.key - b.key).map(({ member }) => member));
  }

  /** @param {string} path */
  id(path) {
    return `/${path}/${this.whole(1, 99_999)}`;
  }

  date() {
    const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
    const day = `${this.whole(2019, 2027)}-${two(this.whole(1, 12))}-${two(this.whole(1, 28))}`;
    return `${day}T${two(this.whole(0, 23))}:${two(this.whole(0, 59))}:${two(this.whole(0, 59))}Z`;
  }

  /**
   * Sentences of one language.
   * @param {number} least words
   * @param {number} most words
   */
  text(least, most) {
    const words = this.one(LANGUAGES);
    const parts = [];
    for (let left = this.whole(least, most); left > 0; ) {
      const sentence = Array.from({ length: Math.min(left, this.whole(4, 14)) }, () => this.one(words));
      left -= sentence.length;
      if (this.chance(0.06)) sentence[0] = `"${sentence[0]}"`;
      if (this.chance(0.12)) sentence.push(this.one(SYMBOLS));
      parts.push(`${sentence.join(' ')}${this.one(ENDS)}`);
    }
    return parts.join('');
  }
}

/** @param {Pick} pick */
function content(pick) {
  const type = pick.one([
    'Article',
    'Article',
    'Discussion',
    'LiveDiscussion',
    'QAndADiscussion',
    'Comment',
    'Comment',
  ]);
  /** @type {Payload} */
  const payload = {
    '@id': `/${type.toLowerCase()}s/${NUMBER_MARK}`,
    '@type': type,
    application: { '@id': pick.id('applications'), '@type': 'Application' },
  };
  if (pick.chance(0.8)) payload.category = { '@id': pick.id('categories'), '@type': 'Category' };
  if (pick.chance(0.6)) payload.topic = { '@id': pick.id('topics'), '@type': 'Topic' };
  const author = pick.one(['ServiceUser', 'ServiceUser', 'Worker']);
  payload.author = { '@id': pick.id(author === 'Worker' ? 'workers' : 'service-users'), '@type': author };
  if (type !== 'Comment' || pick.chance(0.1)) payload.title = pick.text(2, 9).trim();
  payload.content = pick.text(10, 140).trim();
  payload.publishStatus = { '@id': pick.one(['Published', 'Published', 'Unpublished']), '@type': 'PublishStatus' };
  payload.moderationStatus = {
    '@id': pick.one(['PassedModeration', 'PassedModeration', 'PendingModeration', 'FailedModeration']),
    '@type': 'ModerationStatus',
  };
  if (pick.chance(0.7)) payload.minAge = pick.whole(0, 17);
  if (pick.chance(0.7)) payload.maxAge = pick.whole(18, 99);
  if (type === 'LiveDiscussion' || pick.chance(0.1)) {
    payload.startTime = pick.date();
    payload.endTime = pick.date();
  }
  if (type === 'Comment') payload.replyTo = { '@id': pick.id('discussions'), '@type': 'Discussion' };
  if (pick.chance(0.4)) payload.thumbnail = { '@id': pick.id('thumbnails'), '@type': 'Thumbnail' };
  if (pick.chance(0.15)) Object.assign(payload, others(pick));
  return payload;
}

/**
 * Members that are not in the schema, which permits them.
 * @param {Pick} pick
 */
function others(pick) {
  return {
    language: pick.one(['en', 'de', 'fr', 'pl', 'ja']),
    tags: Array.from({ length: pick.whole(0, 4) }, () => pick.one(ENGLISH)),
    statistics: {
      views: pick.whole(0, 1e6),
      score: pick.whole(-999, 999) / 100,
      pinned: pick.chance(0.1),
      parent: null,
    },
  };
}

/** @param {Pick} pick */
function contract(pick) {
  const customer = { '@type': 'Customer', '@id': `/customers/${NUMBER_MARK}` };
  const minAge = pick.whole(1, 17);
  return {
    '@type': 'Contract',
    name: `${pick.one(SERVICES)} ${pick.one(PLACES)} ${pick.whole(2019, 2027)}`,
    customer,
    startDate: pick.date(),
    endDate: pick.date(),
    effectiveDate: pick.date(),
    active: pick.chance(0.7),
    coverage: {
      '@type': 'Coverage',
      customer: { ...customer },
      applicationCoverage: { '@type': 'Application', '@id': pick.id('applications') },
      monthlyCounsellingHours: pick.whole(0, 400),
      monthlyIandPHours: pick.whole(0, 80),
      monthlyDynamicModerationHours: pick.whole(0, 80),
      minAge: pick.chance(0.1) ? minAge + 0.5 : minAge,
      maxAge: pick.whole(18, 99),
      faceToFace: pick.chance(0.3),
      subLocation: Array.from({ length: pick.whole(0, 8) }, () => ({ '@type': 'Place', name: pick.one(PLACES) })),
    },
    contactName: `${pick.one(FIRST_NAMES)} ${pick.one(LAST_NAMES)}`,
  };
}

/** @param {Pick} pick */
function emoji(pick) {
  /** @type {Payload} */
  const payload = {
    '@context': 'https://schema.example/context',
    '@type': pick.one(['Emoji', 'EmojiReaction']),
    emoji: pick.one(SYMBOLS),
  };
  if (pick.chance(0.6)) payload.reason = `${pick.text(1, 6).trim()} /comments/${NUMBER_MARK}`;
  return payload;
}

/**
 * @param {Payload} payload
 * @param {Changes} changes
 */
function change(payload, changes) {
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('/');
    const last = /** @type {string} */ (names.pop());
    let object = payload;
    for (const name of names) object = /** @type {Payload} */ (object[name]);
    if (value === undefined) delete object[last];
    else object[last] = value;
  }
}

/**
 * Removes three members with a default, some of them required.
 * @param {'content' | 'contract'} kind
 * @param {Payload} payload
 * @param {Pick} pick
 */
function dropDefaults(kind, payload, pick) {
  const gone = undefined;
  const status = () => pick.one(['publishStatus', 'moderationStatus']);
  if (kind === 'content') {
    change(payload, { 'application/@type': gone, [`${status()}/@id`]: gone, [`${status()}/@type`]: gone });
  } else {
    change(payload, { active: gone, 'customer/@type': gone, 'coverage/applicationCoverage/@type': gone });
  }
}

/** @type {Record<Kind, Changes[]>} */
const FAULTS = {
  content: [
    { '@type': 'Artcle' },
    { content: undefined },
    { content: '' },
    { title: '' },
    { publishStatus: { '@id': 'Publishd', '@type': 'PublishStatus' } },
    { moderationStatus: { '@id': 'Passed', '@type': 'Moderation' } },
    { minAge: '11' },
    { maxAge: 1000 },
    { minAge: -1, maxAge: 17.5 },
    { 'author/@type': 'User' },
    { author: null },
    { 'application/@id': undefined },
    { replyTo: { '@id': '/discussions/1' } },
  ],
  contract: [
    { startDate: '2024-01-01' },
    { endDate: '2024-12-31T23:59:59.999Z' },
    { active: 'yes' },
    { contactName: '' },
    { 'coverage/monthlyCounsellingHours': 1.5 },
    { 'coverage/minAge': 0, 'coverage/maxAge': 100 },
    { 'coverage/subLocation': { '@type': 'Place', name: 'North' } },
    { 'coverage/faceToFace': undefined },
    { 'coverage/customer': undefined },
    { customer: 'customer' },
  ],
  emoji: [{ reson: 'Helpful' }, { emoji: null }, { reason: 5 }, { '@context': undefined }, { '@type': undefined }],
};

const words = (/** @type {string} */ text) => text.split(' ');

/** English three times: it is what most of the text is. */
const ENGLISH = words(
  'when things feel too much it can help to talk with someone you trust and take one small step at a time ' +
    'many of us find sleep hard before an exam so we asked our team what works for them here is what they said ' +
    'write down three good moments of your day go for a short walk drink some water call a friend breathe slowly ' +
    'nobody has to be perfect your feelings matter and you are not alone in this community thank you for sharing ' +
    'moderator answer question article school family worry anxious hopeful kind support listen evening weekend',
);
const LANGUAGES = [
  ENGLISH,
  ENGLISH,
  ENGLISH,
  words(
    'manchmal fühlt sich alles zu groß an dann hilft es über Ängste zu sprechen schlaf müdigkeit Gespräch später ' +
      'schöne Grüße für dich möglich natürlich außerdem heißt können würde ähnlich Übung',
  ),
  words(
    'parfois tout semble trop lourd être écouté déjà très bientôt où ça espère forêt façon élève après même ' +
      'cœur santé problème répondre première soirée garçon',
  ),
  words('czasem wszystko jest za trudne żółty świat dziękuję zażółć gęślą jaźń przyjaciel rozmowa źródło ćwiczenie'),
  words('眠れない 夜 は 友達 に 話す と 少し 楽 に なります 学校 家族 心配 大丈夫 ありがとう 質問 回答'),
];
const SYMBOLS = words('👍 ❤️ 🎉 😢 🙏 🔥 😂 🤔 👩‍👩‍👧 🏳️‍🌈 ✅ 👏🏽');
const ENDS = ['. ', '. ', '. ', '. ', '. ', '! ', '? ', '…\n', '.\n\n'];
const SERVICES = words('Counselling Moderation Onboarding Outreach Mentoring');
const PLACES = ['North', 'South', 'Midlands', 'Åre', 'Köln', 'São Paulo', 'Łódź', 'Brighton and Hove', 'West Riding'];
const FIRST_NAMES = words('Ada Björn Chloé Dariusz Emi Fatima Grace Håkon Íris João');
const LAST_NAMES = words("Example Müller O'Brien Nowak Sato García Smith-Jones Østergård");
