// Mails of a whole API as a process: with an SMTP server that is down when the process is killed, and as files without
// one.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProcess } from '../../../bench/rig/api/api-process.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';

const PASSWORD = 'correct horse battery';

/** Takes every mail; `port` 0 for any. */
async function startMailServer(port = 0) {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let data: string | null = null;
    socket.on('error', () => {});
    socket.write('220 mail\r\n');
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split(/(?<=\r\n)/)) {
        if (data !== null) {
          data += line;
          if (!data.endsWith('\r\n.\r\n')) continue;
          mails.push(data);
          data = null;
          socket.write('250 kept\r\n');
        } else if (/^DATA/i.test(line)) {
          data = '';
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, mails, close: () => server.close() };
}

test('a mail is not lost with a mail server that is down and a process that is killed', {
  timeout: 90_000,
}, async () => {
  const dataDir = temporaryFolder('voice-mail');
  // A port that nobody listens on.
  const { port, close } = await startMailServer();
  close();
  const environment = { SMTP_URL: `smtp://127.0.0.1:${port}`, DEMO: '0' };
  const first = await startProcess(dataDir, environment);
  const answer = await fetch(`${first.address}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  assert.equal(answer.status, 201);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  const db = openDatabase(join(dataDir, 'voice.db'), { readonly: true });
  const rows = () => db.selectFrom('mails').selectAll().execute();
  assert.equal((await rows()).length, 1);
  assert.doesNotMatch(JSON.stringify(await rows()), /ada@|token=|verify/, 'sealed');

  const server = await startMailServer(port);
  // A mail that the killed process had taken is free after a minute; here it had failed, or its time is moved.
  const second = await startProcess(dataDir, environment);
  const writer = openDatabase(join(dataDir, 'voice.db'));
  await writer.updateTable('mails').set({ nextAttemptAt: 0 }).execute();
  await eventually(() => server.mails.length === 1);
  assert.match(server.mails[0] ?? '', /verify-email\?token=3D|verify-email\?token=/);
  assert.match(server.mails[0] ?? '', /^Message-ID: <mail_\w+@/im);
  await eventually(async () => (await rows()).length === 0);
  await second.stop();
  server.close();
  await db.destroy();
  await writer.destroy();
});

test('without SMTP_URL a mail is a file as soon as the request is answered', async () => {
  const dataDir = temporaryFolder('voice-mail');
  const api = await startProcess(dataDir, { DEMO: '0', MAIL_FROM: 'Willow Hair <desk@willow.example>' });
  await fetch(`${api.address}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  const files = readdirSync(join(dataDir, 'outbox'));
  assert.equal(files.length, 1);
  assert.match(readFileSync(join(dataDir, 'outbox', files[0] ?? ''), 'utf8'), /^To: ada@example.com\r$/m);
  assert.match(
    readFileSync(join(dataDir, 'outbox', files[0] ?? ''), 'utf8'),
    /^From: Willow Hair <desk@willow.example>\r$/m,
  );
  await api.stop();
});
