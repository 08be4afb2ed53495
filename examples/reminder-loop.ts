/**
 * Reminding a person every day until they have done their task. The task and the reminders are two
 * branches of a race: handing in the task ends the reminders in the same commit. A crash loses
 * neither the task nor the moment of the next reminder; one that was being sent is sent once more,
 * and the idempotency key lets the mail server see that it is the same.
 *
 * Days pass at once here, by the clock of the test kit. In a program it is `createEngine` with a
 * database, and real time.
 *
 * Prints:
 *
 *     day 1: mail to ann
 *     day 2: mail to ann
 *     day 3: mail to ann
 *     after ten days: 38 hours, 3 mails
 */
import { flow, form } from 'perdure';
import { createTestEngine } from 'perdure/testing';

// Stands for a mail server, to which the same key twice is one mail.
const sent = new Set<string>();
function mail(to: string, key: string): void {
  if (!sent.has(key)) console.log(`day ${(test.now - begin) / 86_400_000}: mail to ${to}`);
  sent.add(key);
}

const hours = form<{ hours: number }>({
  type: 'object',
  required: ['hours'],
  properties: { hours: { type: 'number', minimum: 0, maximum: 100 } },
});

const timesheet = flow<{ who: string; week: number }>('timesheet')
  .race('handed-in', {
    person: (b) =>
      b.task('fill', {
        title: ({ input }) => `Hours of week ${input.week}`,
        assignee: ({ input }) => input.who,
        form: hours,
      }),
    reminders: (b) =>
      b.repeat('daily', { while: () => true }, (day) =>
        day
          .sleep('a-day', '1d')
          .step('remind', ({ input, idempotencyKey }) => mail(input.who, idempotencyKey)),
      ),
  })
  .end(({ results }) => results.fill?.hours);

const test = createTestEngine({ flows: [timesheet] });
const begin = test.now;
const run = await test.start(timesheet, { who: 'ann', week: 46 });
await test.advance('3d');
const [task] = (await test.engine.tasks.list({ assignee: 'ann' })).tasks;
if (task !== undefined) await test.engine.tasks.complete(task.id, { hours: 38 }, 'ann');
await test.advance('7d');
console.log(`after ten days: ${await run.result()} hours, ${sent.size} mails`);
await test.close();
