/** The office as a process that is spoken to by its standard streams. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { makeOffice } from './mcp-office.ts';

process.stdout.write('Good morning.\n');
await makeOffice().connect(new StdioServerTransport());
