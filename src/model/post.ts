import type { Json } from '../base/json.ts';
import type { InstanceId } from './ids.ts';
import type { Fault, ParentRef } from './instance.ts';

/**
 * What one instance has for another. A commit touches one instance (D3), so it is written down in
 * the commit that decides it and carried afterwards, at least once and in order. Its id never
 * changes and whoever receives it knows what it had before, so carrying it twice changes nothing.
 */
export type Post =
  | {
      readonly id: string;
      readonly do: 'publish';
      readonly type: string;
      /** Without one it is for those who do not ask for a key. */
      readonly key?: string | null;
      readonly data: Json;
      /** Of the instance that published it: nobody else's is to have it. */
      readonly tenant?: string;
      /** That of the token that had it published. */
      readonly trace?: string;
    }
  /** Starts an instance, which somebody waits for or nobody does. */
  | {
      readonly id: string;
      readonly do: 'start';
      readonly instance: InstanceId;
      readonly flow: string;
      /** The newest there is if not given. */
      readonly version?: number;
      readonly input: Json;
      readonly key?: string;
      /** There is such a flow already, or it fails. */
      readonly known?: true;
      /** Those of the caller. */
      readonly tenant?: string;
      readonly priority?: number;
      /** Who waits for it. */
      readonly parent?: ParentRef;
      /** That of the token that called. */
      readonly trace?: string;
    }
  /** Tells who called that the instance is over. */
  | {
      readonly id: string;
      readonly do: 'answer';
      readonly to: ParentRef;
      /** Who has ended: whoever called may be waiting for another by now. */
      readonly from: InstanceId;
      readonly answer: ChildAnswer;
    }
  | {
      readonly id: string;
      readonly do: 'cancel';
      readonly instance: InstanceId;
      readonly saga: boolean;
    };

/** How an instance that was called has ended. */
export type ChildAnswer =
  | { readonly status: 'completed'; readonly output: Json }
  | { readonly status: 'failed'; readonly fault: Fault }
  | { readonly status: 'canceled' };
