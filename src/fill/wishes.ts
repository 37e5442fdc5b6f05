/**
 * The arguments of `--only` and `--except`, and whether one matches a place in a payload.
 */
import { parsePointer } from '../json/pointer.ts';

/** A member and everything in it. Plain data. */
export interface Wish {
  /** The flag and the argument as typed. */
  readonly flag: '--only' | '--except';
  readonly text: string;
  /** From the payload's root; `*` is any name or index. */
  readonly tokens: readonly string[];
  /** The single token is a name that matches at any place. */
  readonly anywhere: boolean;
}

/** The wishes, and how they are applied. Plain data, for threads. */
export interface Choice {
  readonly wishes: readonly Wish[];
  /** Defaults that are wanted at some places only: the member's name, and the value as `writtenText` writes it. */
  readonly sometimes: readonly { readonly name: string; readonly text: string }[];
  /** True if every default is wanted at all places, or at none. */
  readonly exact: boolean;
}

/** The place of a value, from the payload's root; null is an index. */
export type Path = readonly (string | null)[];

/** The wishes of `--only` and `--except`: pointers and names. */
export function readWishes(only: readonly string[], except: readonly string[]): Wish[] {
  const read = (flag: Wish['flag'], text: string): Wish => {
    const anywhere = !text.startsWith('/');
    return { flag, text, tokens: anywhere ? [text] : parsePointer(text), anywhere };
  };
  return [...only.map((text) => read('--only', text)), ...except.map((text) => read('--except', text))];
}

/** Whether the member at `path` is to be filled in. */
export function isWanted(wishes: readonly Wish[], path: Path): boolean {
  return decide(wishes, (wish) => holds(wish, path));
}

/** The same if it is known which wishes match. */
export function decide(wishes: readonly Wish[], isHeld: (wish: Wish, index: number) => boolean): boolean {
  let asks = false;
  let asked = false;
  for (const [i, wish] of wishes.entries()) {
    const held = isHeld(wish, i);
    if (wish.flag === '--except') {
      if (held) return false;
    } else {
      asks = true;
      asked ||= held;
    }
  }
  return asked || !asks;
}

function holds({ tokens, anywhere }: Wish, path: Path): boolean {
  if (anywhere) return path.includes(tokens[0]!);
  return tokens.length <= path.length && tokens.every((token, i) => token === '*' || token === path[i]);
}
