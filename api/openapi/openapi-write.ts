// Writes docs/openapi.json, the committed copy of /openapi.json, and what is generated from it: the dashboard's types
// and limits, and the client packages. Run it after an intended change of the interface, and review the diff before
// committing.
//   node supervise.mjs run api/openapi/openapi-write.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/sqlite/migrate.ts';
import { readApiConfig } from '../config.ts';
import { closeContext, createContext } from '../create-context.ts';
import { createLog } from '../log.ts';
import { buildServer } from '../server.ts';
import { generatedFiles } from './generated.ts';
import { openapiText } from './openapi.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'voice-openapi-'));
try {
  const config = readApiConfig({ DATA_DIR: dataDir, DEMO: '0' });
  migrate(config.database);
  const context = await createContext(config, createLog({ logLevel: 'silent' }));
  const app = await buildServer(context);
  const text = openapiText(app);
  writeFileSync(new URL('../../docs/openapi.json', import.meta.url), text);
  for (const [file, written] of generatedFiles(JSON.parse(text))) writeFileSync(file, written);
  await app.close();
  await closeContext(context);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
