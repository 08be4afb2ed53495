/**
 * Next calls this once when the server starts. Without it the engine would start with the first
 * request, and what the last process left unfinished would wait until then.
 *
 * The scripts of package.json say NEXT_MANUAL_SIG_HANDLE, so that the end of the process is ours:
 * the engine takes no new work and lets its handlers finish. Killed without that, it loses nothing
 * either; another process goes on with what it held, once its lease is over.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { openEngine } = await import('./lib/engine.ts');
  const engine = await openEngine();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void engine.close({ timeout: '10s' }).then(() => process.exit()));
  }
}
