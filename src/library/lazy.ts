/**
 * Results of which some members are made when one of them is read first. They are plain objects: these members are
 * getters of their own, so that results can be compared, copied and written as JSON.
 */

/** A class whose constructor gives the object that it is given, so that a class below it adds private members to any object. */
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

/** One getter for each name: with a function for each result, V8 would keep a hidden class for each. */
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

/** `result` with members by these names as well, which `make` gives. It is called once, and keeps what it needs until then. */
export function withLazy<Result extends object, More extends object>(
  result: Result,
  make: () => More,
  names: readonly (string & keyof More)[],
): Result & More {
  new Lazy(result, make as () => Members);
  for (const name of names) Object.defineProperty(result, name, getterOf(name));
  return result as Result & More; // it has them now
}
