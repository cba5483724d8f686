// A tool that changes something, which the scripted model calls after each reply: the bench counts how often it ran
// before the caller had said all of a turn.
import { answerJson, startToolServer } from '../rig/fakes/tool-server.ts';
import { Rest } from '../rig/service/rest.ts';
import type { Service } from '../rig/service/service.ts';

export const NOTED_TOOL = 'note_request';

export interface NotedTool {
  /** When it ran in the call of this number, as `performance.now()`. */
  runs(number: string): number[];
  close(): Promise<void>;
}

/** Gives the demo's campaign the tool. The service must allow private addresses. */
export async function giveTool(service: Service): Promise<NotedTool> {
  const system = await startToolServer((_, response) => answerJson(response, { noted: true }));
  const rest = await new Rest(service).login();
  const { id } = await rest.must('POST', '/tools', {
    name: NOTED_TOOL,
    description: 'Notes what the caller wants.',
    method: 'POST',
    url: `${system.origin}/of/{{callerNumber}}`,
    parameters: { type: 'object', properties: {} },
  });
  const [campaign] = (await rest.request('GET', '/campaigns')).body.data;
  await rest.must('PATCH', `/campaigns/${campaign?.id ?? ''}`, { toolIds: [id] });
  return {
    runs: (number) =>
      system.questions.filter(({ url }) => decodeURIComponent(url).endsWith(number)).map(({ atMs }) => atMs),
    close: () => system.close(),
  };
}
