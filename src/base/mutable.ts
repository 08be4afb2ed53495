/** For the one who puts a value together, before anyone else sees it. */
export type Mutable<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] };
