/** What can be said of a store without opening it: the program, the file, the disk, the schema. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { tooOld } from '../node-version.ts';
import type { Place } from '../stores.ts';
import { failed, noted, type Symptom } from './symptoms.ts';

const FREE_BYTES_MIN = 512 * 2 ** 20;
const FREE_PART_MIN = 0.05;

/** File systems by the number that Linux knows them by: these reach over a network. */
const NETWORKS: ReadonlyMap<number, string> = new Map([
  [0x69_69, 'NFS'],
  [0x51_7b, 'SMB'],
  [0xff_53_4d_42, 'CIFS'],
  [0xfe_53_4d_42, 'SMB2'],
  [0x01_02_19_97, '9P'],
  [0x00_c3_64_00, 'Ceph'],
]);

export function nodeSymptom(version: string): Symptom {
  const advice = tooOld(version);
  return advice === undefined ? noted('node', version) : failed('node', version, advice);
}

/** Whether the store answers, and whether its tables are those of this program. */
export async function schemaSymptoms({ store, path, url }: Place): Promise<readonly Symptom[]> {
  if (path !== null && !existsSync(path)) {
    return [
      failed(
        'store',
        `there is no file at ${path}`,
        'name another with --store, or run "perdure migrate"',
      ),
    ];
  }
  try {
    const { made, missing } = await store.health.migrations();
    const behind = `schema ${made}, and ${missing.length} migrations are missing`;
    return [
      noted('store', `${url} answers`),
      missing.length === 0
        ? noted('schema', `schema ${made}`)
        : failed('schema', behind, 'run "perdure migrate", or start a program of this version'),
    ];
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return [failed('store', thrown.message, 'check the URL, the server and its permissions')];
  }
}

/** Of a file: where it lies, and how much room there is. */
export async function diskSymptoms({ path }: Place): Promise<readonly Symptom[]> {
  // Of a folder that is not there the store itself says that it lacks its file.
  if (path === null || !existsSync(dirname(path))) return [];
  const { type, bavail, blocks, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  const found = `${(free / 2 ** 30).toFixed(1)} GB free`;
  const isTight = free < FREE_BYTES_MIN || bavail < blocks * FREE_PART_MIN;
  const network = NETWORKS.get(type);
  return [
    isTight ? noted('disk', found, 'free some space before it is full') : noted('disk', found),
    network === undefined
      ? noted('mount', 'a local file system')
      : failed('mount', `a network file system (${network})`, 'move the file to a local disk'),
  ];
}
