/**
 * Results with members that are made when one of them is first read. They are plain objects, and these members are own
 * getters, so that results can be compared, copied and written as JSON.
 */

/**
 * A base class whose constructor returns the given object, so that a derived class can add private members to any
 * object.
 */
const Given: new (given: object) => object = class {
  constructor(given: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for
    return given;
  }
};

type Members = Readonly<Record<string, unknown>>;

class Lazy extends Given {
  #make: (() => Members) | null;
  #made: Members = {};

  constructor(given: object, make: () => Members) {
    super(given);
    this.#make = make;
  }

  static read(given: Lazy, name: string): unknown {
    if (given.#make !== null) {
      given.#made = given.#make();
      given.#make = null;
    }
    return given.#made[name];
  }
}

/** One getter per name, shared by all results: V8 would keep a hidden class for every separate function. */
const GETTERS = new Map<string, PropertyDescriptor>();

function getterOf(name: string): PropertyDescriptor {
  let getter = GETTERS.get(name);
  if (getter === undefined) {
    getter = {
      enumerable: true,
      configurable: true,
      get(this: Lazy): unknown {
        return Lazy.read(this, name);
      },
    };
    GETTERS.set(name, getter);
  }
  return getter;
}

/**
 * `result` with additional members of these names, which `make` returns. `make` is called at most once, and its data
 * are kept until then.
 */
export function withLazy<Result extends object, More extends object>(
  result: Result,
  make: () => More,
  names: readonly (string & keyof More)[],
): Result & More {
  new Lazy(result, make as () => Members);
  for (const name of names) Object.defineProperty(result, name, getterOf(name));
  return result as Result & More; // they were added above
}
