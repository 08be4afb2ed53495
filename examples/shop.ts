/**
 * Stands for a shop and its payment provider, who ask a server for orders a few things, some of
 * them twice. The servers are with-express.ts and with-hono.ts.
 */

/** What was asked, and what was answered, in one line. */
export async function ask(url: string, sent?: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const init = sent && { method: 'POST', headers, body: JSON.stringify(sent) };
  const answer = await fetch(url, init);
  const told = (await answer.text()).trim().replaceAll(/\s+/g, ' ');
  return `${init?.method ?? 'GET'} ${new URL(url).pathname} ${answer.status} ${told}`;
}

export async function visit(url: string): Promise<void> {
  console.log(await ask(`${url}/orders`, { number: 'order-1', sku: 'A1' }));
  console.log(await ask(`${url}/orders`, { number: 'order-1', sku: 'A1' }));
  console.log(await ask(`${url}/orders/order-1`));
  console.log(await ask(`${url}/orders/order-1/payment`, { payment: 'pay-7', amount: 42 }));
  console.log(await ask(`${url}/orders/order-1/payment`, { payment: 'pay-7', amount: 42 }));
  console.log(await ask(`${url}/perdure/instances/order-1/result?wait=10s`));
  console.log(await ask(`${url}/orders/order-2`));
}
