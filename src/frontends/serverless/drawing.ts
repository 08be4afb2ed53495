/** The draft of a workflow while its definition is read: nodes and edges, by their ids. */
import type { JsonObject } from '../../base/json.ts';
import type { Diagnostic, DraftEdge, DraftNode, Span } from '../../model/draft.ts';
import type { EdgeId } from '../../model/ids.ts';
import type { TemplateDesk } from './templates.ts';

export interface NewNode {
  readonly id: string;
  readonly kind: string;
  readonly settings: object;
  readonly parent: string;
  /** The author did not write it. */
  readonly hidden?: boolean;
  /** Where in the definition it stands. */
  readonly at: string;
}

export class Drawing implements TemplateDesk {
  readonly mode: 'strict' | 'loose';
  readonly nodes: DraftNode[] = [];
  readonly #edges = new Map<string, DraftEdge>();
  readonly diagnostics: Diagnostic[] = [];
  readonly #spanOf: (pointer: string) => Span | undefined;

  constructor(mode: 'strict' | 'loose', spanOf: (pointer: string) => Span | undefined) {
    this.mode = mode;
    this.#spanOf = spanOf;
  }

  get edges(): readonly DraftEdge[] {
    return [...this.#edges.values()];
  }

  add({ id, kind, settings, parent, hidden = false, at }: NewNode): void {
    const span = this.#spanOf(at);
    this.nodes.push({
      ...{ id, kind, parent, settings: settings as JsonObject },
      ...(hidden ? { hidden } : {}),
      ...(span === undefined ? {} : { span }),
    });
  }

  /** Adds to the envelope of a node that was drawn since then. */
  amend(since: number, id: string, more: JsonObject): void {
    const at = this.nodes.findIndex((node, n) => n >= since && node.id === id);
    const node = this.nodes[at];
    if (node === undefined) return;
    const task = { ...(node.settings['task'] as JsonObject), ...more };
    this.nodes[at] = { ...node, settings: { ...node.settings, task } };
  }

  /** Two ways from one node to another are one. */
  lead(from: string, to: string): EdgeId {
    const id = `${from}→${to}`;
    this.#edges.set(id, { id, from, to });
    return id as EdgeId;
  }

  complain(code: string, message: string, pointer: string): void {
    const span = this.#spanOf(pointer);
    const diagnostic = { code, message, node: pointer };
    this.diagnostics.push(span === undefined ? diagnostic : { ...diagnostic, span });
  }
}
