/** The server of channels, as the package that an example has `npx` start. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { makeSlack } from './examples-slack.ts';

await makeSlack().connect(new StdioServerTransport());
