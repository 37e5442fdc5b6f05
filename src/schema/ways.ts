/** What messages about schemas tell their reader to give: flags, or the options of the library. */
export interface Ways {
  /** Says which schema a URI leads to. */
  readonly refOf: (uri: string) => string;
  /** Makes a schema known by its `$id`. */
  readonly ref: string;
  readonly draft: (name: string) => string;
  readonly config: string;
  readonly schema: string;
}

const FLAGS: Ways = {
  refOf: (uri) => `--ref ${uri}=FILE`,
  ref: '--ref FILE',
  draft: (name) => `--draft ${name}`,
  config: '--config',
  schema: '--schema',
};

const OPTIONS: Ways = {
  refOf: (uri) => `refs: { ${JSON.stringify(uri)}: schema }`,
  ref: 'refs: [schema]',
  draft: (name) => `draft: ${JSON.stringify(name)}`,
  config: 'the option config',
  schema: 'schema',
};

/** `inLibrary`: the schemas are loaded for a caller of the library. */
export function waysFor({ inLibrary = false }: { readonly inLibrary?: boolean }): Ways {
  return inLibrary ? OPTIONS : FLAGS;
}
