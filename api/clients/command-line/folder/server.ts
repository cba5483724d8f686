// Reads all that a folder has from the service.
import type { Client } from '../../typescript/client.ts';
import type { Run } from '../command.ts';
import type { Environment } from '../profiles.ts';
import { readableEnv } from './placeholders.ts';
import type { DocumentRecord, Kind, ServerRecord, TestCaseRecord } from './record.ts';

export interface Installation {
  /** Each kind's records, the oldest first. */
  records: ServerRecord[];
  /** By the id of a number of the account, in E.164. */
  numbers: Map<string, string>;
  /**
   * Of this machine, as far as files may read it: by it the values of the service are known again that files have as
   * placeholders.
   */
  env: Environment;
}

export async function readInstallation(run: Run): Promise<Installation> {
  const { client } = run;
  const numbers = await client.phoneNumbers.list().all();
  const parts = {
    tools: await client.tools.list().all(),
    agents: await client.agents.list().all(),
    businesses: await client.businesses.list().all(),
    campaigns: await client.campaigns.list().all(),
    tests: await client.tests.listSuites().all(),
  };
  const records: ServerRecord[] = [];
  for (const [kind, found] of Object.entries(parts) as Array<[Kind, Array<{ id: string; name: string }>]>) {
    for (const fields of found.toReversed()) records.push(await whole(client, kind, fields));
  }
  return { records, numbers: new Map(numbers.map(({ id, phoneNumber }) => [id, phoneNumber])), env: readableEnv(run) };
}

async function whole(client: Client, kind: Kind, fields: { id: string; name: string }): Promise<ServerRecord> {
  const { id, name } = fields;
  const cases: TestCaseRecord[] = kind === 'tests' ? await client.tests.listCases(id).all() : [];
  const documents: DocumentRecord[] = kind === 'businesses' ? await client.knowledge.list(id).all() : [];
  return { kind, id, name, fields: { ...fields }, cases, documents: documents.toReversed() };
}
