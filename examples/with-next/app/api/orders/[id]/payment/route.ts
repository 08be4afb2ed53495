/** POST /api/orders/ID/payment is for the payment provider, which may tell us several times. */
import { openEngine } from '../../../../../lib/engine.ts';

interface Context {
  params: Promise<{ id: string }>;
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { payment, amount } = (await request.json()) as { payment: string; amount: number };
  const engine = await openEngine();
  const run = await engine.get((await params).id);
  if (run === undefined) return Response.json({ error: 'no such order' }, { status: 404 });
  const { outcome } = await run.send('order.paid', { amount }, { id: payment });
  return Response.json({ outcome });
}
