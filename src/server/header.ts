/** How headers are read here: whatever serves the request, a header is asked for by its name. */

/** The value of a header by its lower-case name; undefined if it did not come. */
export type HeaderOf = (name: string) => string | undefined;
