/** Values that differ, by path, side by side. */
import type { ReactNode } from 'react';
import type { Json } from '../api/shapes.ts';
import type { JsonDifference } from './json-diff.ts';

interface DiffProps {
  readonly differences: readonly JsonDifference[];
  readonly label: string;
}

const TEXT_MAX = 600;

export function DiffTable({ differences, label }: DiffProps): ReactNode {
  return (
    <div className="scroll-x" role="group" tabIndex={0} aria-label={label}>
      <table className="table diff-table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ path, a, b }) => (
            <tr key={path}>
              <th scope="row" className="mono">
                {path === '' ? 'the whole' : path}
              </th>
              <td className="mono">
                <Value value={a} />
              </td>
              <td className="mono">
                <Value value={b} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value }: { readonly value: Json | undefined }): ReactNode {
  if (value === undefined) return <span className="dim">not there</span>;
  const text = JSON.stringify(value);
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}
