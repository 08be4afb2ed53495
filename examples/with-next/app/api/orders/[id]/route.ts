/** GET /api/orders/ID says how an order is; with ?wait=10s, when it has ended or after 10 s. */
import { openEngine } from '../../../../lib/engine.ts';

interface Context {
  params: Promise<{ id: string }>;
}

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const engine = await openEngine();
  const run = await engine.get((await params).id);
  if (run === undefined) return Response.json({ error: 'no such order' }, { status: 404 });

  const timeout = new URL(request.url).searchParams.get('wait') ?? '0s';
  await run.result({ timeout }).catch(() => {}); // not over yet, or failed: it is told below
  const { status, tokens, output } = await run.inspect();
  return Response.json({ status, at: tokens.map(({ node }) => node), output });
}
