/**
 * Matches a text with a regular expression without making an automaton, in time proportional to the product of their
 * lengths: the expression becomes a program of small steps, and no step runs twice at one place of the text. RegExp
 * decides what one character matches. For one short text, this takes less time than to load the code for automata.
 */

/** A step of a program. Numbers are places in the program. */
type Step =
  | { readonly type: 'character'; readonly matches: (character: string) => boolean; readonly next: number }
  | { readonly type: 'either'; readonly first: number; second: number }
  | { readonly type: 'edge'; readonly source: string; readonly next: number }
  | { readonly type: 'look'; readonly start: number; readonly negated: boolean; readonly next: number }
  | { readonly type: 'found' };

/** Longer programs are not made. */
const MOST_STEPS = 2000;
const MOST_LEVELS = 50;

/** Thrown for an expression that is not supported, or is too long. */
class TooHard extends Error {}

const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
/** A class, an escape, or any other character. */
const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[^}]*\}|[pP]\{[^}]*\}|c[A-Za-z]|.)|[\s\S]/suy;
const GROUP = /\((?:\?(?:(:)|([=!])|<(?![=!])[^>]*>))?/y;
/** Backreferences and escaped surrogates. */
const HARD = /\\[1-9k]|\\u[dD][89a-fA-F]/;

/** Maximum number of steps for a text: lookaheads repeat theirs at each place. */
const MOST_WORK = 50_000;

/**
 * A function with the results of `regExp.test`, or null for a text that takes too long. Null if the expression is not
 * supported. `regExp` has the flag `u`, and no other.
 */
export function visitor({ source }: RegExp): ((text: string) => boolean | null) | null {
  if (HARD.test(source)) return null;
  try {
    const program = new Program(source);
    return (text) => new Visit(program.steps, [...text]).search(program.start);
  } catch (error) {
    if (error instanceof TooHard) return null;
    throw error;
  }
}

/** Made from its end to its start, so that each step knows the next one. */
type Make = (next: number) => number;

class Program {
  readonly steps: Step[] = [];
  readonly start: number;
  readonly #source: string;
  readonly #characters = new Map<string, (character: string) => boolean>();
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    const whole = this.#alternatives(0);
    if (this.#at < source.length) throw new TooHard();
    this.start = whole(this.#add({ type: 'found' }));
  }

  #add(step: Step): number {
    if (this.steps.length >= MOST_STEPS) throw new TooHard();
    return this.steps.push(step) - 1;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #alternatives(level: number): Make {
    if (level > MOST_LEVELS) throw new TooHard();
    const options = [this.#sequence(level)];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      options.push(this.#sequence(level));
    }
    return (next) =>
      options
        .map((make) => make(next))
        .reduceRight((second, first) => this.#add({ type: 'either', first, second }));
  }

  #sequence(level: number): Make {
    const parts: Make[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!))
      parts.push(this.#quantified(this.#term(level)));
    return (next) => parts.reduceRight((after, make) => make(after), next);
  }

  #term(level: number): Make {
    const edge = this.#take(/[\^$]|\\[bB]/y);
    if (edge !== null) return (next) => this.#add({ type: 'edge', source: edge[0], next });
    if (this.#source[this.#at] === '(') return this.#group(level);
    const [source] = this.#take(ATOM)!; // any character is one
    const matches = this.#character(source);
    return (next) => this.#add({ type: 'character', matches, next });
  }

  #group(level: number): Make {
    const [opening, , look] = this.#take(GROUP)!;
    if (this.#source.startsWith('?', this.#at) && opening === '(') throw new TooHard(); // it looks behind
    const inner = this.#alternatives(level + 1);
    if (this.#source[this.#at++] !== ')') throw new TooHard();
    if (look === undefined) return inner;
    return (next) => {
      const start = inner(this.#add({ type: 'found' }));
      return this.#add({ type: 'look', start, negated: look === '!', next });
    };
  }

  #quantified(make: Make): Make {
    const found = this.#take(QUANTIFIER);
    if (found === null) return make;
    const [text, from, comma, to] = found;
    const least = from === undefined ? (text[0] === '+' ? 1 : 0) : Number(from);
    const most =
      from === undefined
        ? text[0] === '?'
          ? 1
          : Number.POSITIVE_INFINITY
        : comma === undefined
          ? least
          : to === ''
            ? Number.POSITIVE_INFINITY
            : Number(to);
    if (Math.max(least, most === Number.POSITIVE_INFINITY ? 0 : most) > MOST_STEPS) throw new TooHard();
    return (next) => {
      let start = next;
      if (most === Number.POSITIVE_INFINITY) {
        const again = { type: 'either' as const, first: next, second: -1 };
        start = this.#add(again);
        again.second = make(start);
      } else
        for (let i = least; i < most; i++)
          start = this.#add({ type: 'either', first: next, second: make(start) });
      for (let i = 0; i < least; i++) start = make(start);
      return start;
    };
  }

  /** Tests one character with RegExp, and remembers the result. */
  #character(source: string): (character: string) => boolean {
    const known = this.#characters.get(source);
    if (known !== undefined) return known;
    // A full stop stays as it is: without the flag s it matches no line terminator.
    const regExp = new RegExp(`^${source === '.' ? '[^\\n\\r\\u2028\\u2029]' : source}$`, 'su');
    const answers = new Map<string, boolean>();
    const matches = (character: string): boolean => {
      let answer = answers.get(character);
      if (answer === undefined) {
        answer = regExp.test(character);
        answers.set(character, answer);
      }
      return answer;
    };
    this.#characters.set(source, matches);
    return matches;
  }
}

/** One text. */
class Visit {
  readonly #steps: readonly Step[];
  readonly #text: readonly string[];
  #work = 0;

  constructor(steps: readonly Step[], text: readonly string[]) {
    this.#steps = steps;
    this.#text = text;
  }

  /** Whether the program matches at any place; null: that takes too long. */
  search(start: number): boolean | null {
    const places = Array.from({ length: this.#text.length + 1 }, (_, i) => this.#text.length - i);
    const found = this.#matches(start, places);
    return this.#work > MOST_WORK ? null : found;
  }

  /** Whether the program matches from `start` at one of the places. */
  #matches(start: number, places: readonly number[]): boolean {
    const width = this.#text.length + 1;
    const seen = new Set<number>();
    const open = places.map((at) => start * width + at);
    for (let now = open.pop(); now !== undefined; now = open.pop()) {
      if (seen.has(now)) continue;
      if (++this.#work > MOST_WORK) return false;
      seen.add(now);
      const [place, at] = [Math.floor(now / width), now % width];
      const step = this.#steps[place]!;
      switch (step.type) {
        case 'found':
          return true;
        case 'character':
          if (at < this.#text.length && step.matches(this.#text[at]!)) open.push(step.next * width + at + 1);
          break;
        case 'either':
          open.push(step.first * width + at, step.second * width + at);
          break;
        case 'edge':
          if (this.#isEdge(step.source, at)) open.push(step.next * width + at);
          break;
        case 'look':
          if (this.#matches(step.start, [at]) !== step.negated) open.push(step.next * width + at);
      }
    }
    return false;
  }

  #isEdge(source: string, at: number): boolean {
    if (source === '^') return at === 0;
    if (source === '$') return at === this.#text.length;
    const isWord = (index: number): boolean => /^\w$/.test(this.#text[index] ?? '');
    return (isWord(at - 1) !== isWord(at)) === (source === '\\b');
  }
}
