/**
 * The page's end of the Worker. A Worker that is silent for five seconds is ended: the next question starts another one.
 * The silence before its first answer does not count: until then the browser loads it, however busy the machine is.
 */
import { PLAYGROUND_MS } from '../../limits.ts';
import type { Answer, Ask, Input } from './protocol.ts';

const TOO_LONG = 'This took more than five seconds, so it was ended.';

export interface Listener {
  readonly answered: (answer: Extract<Answer, { type: 'found' | 'refused' }>) => void;
  /** The Worker was ended. `why`: a sentence. */
  readonly ended: (why: string) => void;
}

export class Work {
  readonly #url: string;
  readonly #listener: Listener;
  #worker: Worker | null = null;
  /** Whether the Worker has answered anything. */
  #loaded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #id = 0;
  /** The check that was asked for last, unless it is done. */
  #open: Extract<Ask, { type: 'check' }> | null = null;
  /** The check that the Worker has begun. */
  #begun = 0;
  readonly #reports = new Map<number, (text: string) => void>();

  /** `code`: of the Worker. */
  constructor(code: string, listener: Listener) {
    this.#url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    this.#listener = listener;
  }

  check(input: Input): void {
    this.#open = { type: 'check', id: ++this.#id, ...input };
    this.#post(this.#open);
  }

  /** The report on what was checked last. */
  report(format: 'pretty' | 'json'): Promise<string> {
    const id = ++this.#id;
    this.#post({ type: 'report', id, format });
    return new Promise((resolve) => this.#reports.set(id, resolve));
  }

  #post(ask: Ask): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(ask);
    if (this.#loaded) this.#timer ??= setTimeout(() => this.#end(TOO_LONG), PLAYGROUND_MS);
  }

  #start(): Worker {
    const worker = new Worker(this.#url);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#take(data);
    worker.onerror = () => this.#end('This cannot be checked here: the browser has ended it.');
    return worker;
  }

  #take(answer: Answer): void {
    this.#loaded = true;
    this.#watch();
    if (answer.type === 'begun') this.#begun = answer.id;
    else if (answer.type === 'report') {
      this.#reports.get(answer.id)?.(answer.text);
      this.#reports.delete(answer.id);
    } else if (answer.id === this.#open?.id) {
      if (answer.type === 'refused' || answer.done) this.#open = null;
      this.#listener.answered(answer);
    }
    if (this.#open === null && this.#reports.size === 0) this.#rest();
  }

  /** The silence begins again. */
  #watch(): void {
    this.#rest();
    this.#timer = setTimeout(() => this.#end(TOO_LONG), PLAYGROUND_MS);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #end(why: string): void {
    this.#rest();
    this.#worker?.terminate();
    this.#worker = null;
    this.#loaded = false;
    for (const resolve of this.#reports.values()) resolve('');
    this.#reports.clear();
    const open = this.#open;
    // What was asked for since may be innocent.
    if (open !== null && open.id > this.#begun) this.#post(open);
    else {
      this.#open = null;
      this.#listener.ended(why);
    }
  }
}
