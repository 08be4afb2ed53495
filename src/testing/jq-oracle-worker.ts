/** The thread in which the real jq runs, so that a program that does not end can be stopped. */
import { parentPort } from 'node:worker_threads';
import { loadJq } from 'jq-wasm';
import { askJq, type Question } from './jq-asking.ts';

const jq = await loadJq();

parentPort?.on('message', (questions: readonly Question[]) => {
  parentPort?.postMessage(askJq(jq, questions));
});
parentPort?.postMessage('ready');
