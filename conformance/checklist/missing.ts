/**
 * Rows of the checklist that are not met, each with the reason. They are counted as skipped and
 * listed by name; one that has a passing test after all has passed, and has no place here.
 */
export const MISSING: Readonly<Record<string, string>> = {};
