/** POST /api/orders places an order. Who sends it again, because no answer came, gets the same. */
import { openEngine, order } from '../../../lib/engine.ts';

export async function POST(request: Request): Promise<Response> {
  const { number, sku } = (await request.json()) as { number: string; sku: string };
  const engine = await openEngine();
  const run = await engine.start(order, { number, sku }, { key: number, onConflict: 'existing' });
  return Response.json({ id: run.id }, { status: 201 });
}
