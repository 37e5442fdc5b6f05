/** The part of the WebAssembly JavaScript interface (W3C) that paylint uses, which no type package of Node declares. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { readonly initial: number });
    readonly buffer: ArrayBuffer;
    /** Adds pages of 64 KiB. `buffer` is a new object afterwards. */
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
    static customSections(module: Module, name: string): ArrayBuffer[];
  }
  class Instance {
    constructor(
      module: Module,
      imports: { readonly env: { readonly memory: Memory; readonly [name: string]: unknown } },
    );
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
