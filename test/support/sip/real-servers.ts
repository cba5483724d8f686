// drachtio gives INVITEs to its clients in turns: two engines on one server take each other's calls, and a transfer may
// end at the wrong one. So only one process at a time tests against a server.
import { createServer } from 'node:net';

const STEP_MS = 500;

/** Resolves when no other process tests against this drachtio. The process holds it until it ends. */
export async function haveDrachtioAlone(port: string): Promise<void> {
  // An abstract socket: its name vanishes with the process.
  const name = `\0tests-of-drachtio-${port}`;
  for (;;) {
    const isOurs = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(name, () => resolve(true)).unref();
    });
    if (isOurs) return;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
