/** What an action will do, in words and as before and after. */
import { type ReactNode, useEffect, useRef } from 'react';
import type { Preview } from '../../api/shapes.ts';
import { contrasts, whatHappens } from './what-happens.ts';

export function PreviewView({ preview }: { readonly preview: Preview }): ReactNode {
  const rows = contrasts(preview);
  const box = useRef<HTMLElement>(null);
  // Below many fields it would not be seen.
  useEffect(() => void box.current?.scrollIntoView({ block: 'nearest' }), [preview]);
  return (
    <section ref={box} className="preview" aria-live="polite" aria-label="What will happen">
      <h3>What will happen</h3>
      <ul className="told">
        {whatHappens(preview).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {rows.length === 0 ? null : (
        <table className="table preview-table">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ what, was, is }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td className="preview-was">{was}</td>
                <td className="preview-is">{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
