/**
 * Asks a function of the caller of the library. Whatever it does is an answer or a fault of the payload at hand: a
 * promise is no answer, and one that rejects must not end the process.
 */
import { CallerFault } from '../../errors.ts';

/** What it returned. `what`: the beginning of the message. Throws CallerFault. */
export function answerOfCaller(what: string, ask: () => unknown): unknown {
  let answer: unknown;
  try {
    answer = ask();
  } catch (cause) {
    throw new CallerFault(`${what} threw an error`, { cause });
  }
  // A promise, or what looks like one: nobody else hears if it rejects.
  if (typeof answer === 'object' && answer !== null) Promise.resolve(answer).catch(() => {});
  return answer;
}
