/** Loads outlets by their specification, on demand. */
import { jsonWriter } from '../../engine/accept.ts';
import type { OutletMaker, OutletSpec } from './outlet.ts';

export async function loadOutlet(spec: OutletSpec): Promise<OutletMaker> {
  switch (spec.type) {
    case 'fill': {
      const { FillOutlet } = await import('./fill-outlet.ts');
      return (part) => new FillOutlet(part, spec);
    }
    case 'convert': {
      const { ConvertOutlet } = await import('./convert-outlet.ts');
      const writer = await jsonWriter(spec.as);
      return (part) => new ConvertOutlet(part, spec, writer);
    }
    case 'filter':
    case 'rejects': {
      const { FilterOutlet } = await import('./filter-outlet.ts');
      const invalid = { type: 'filter', invert: true, rejects: false, reasons: false } as const;
      return (part) => new FilterOutlet(part, spec.type === 'filter' ? spec : invalid);
    }
  }
}
