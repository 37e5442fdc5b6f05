/**
 * In place of Ajv's code generator in the package: ajv-formats makes two names with it when it is loaded, and writes code only for Ajv.
 */
export class Name {}
