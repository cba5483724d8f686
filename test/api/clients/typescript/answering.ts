// A fetch in memory for tests of the client: answers in order, and what was asked.
interface Asked {
  url: string;
  method: string;
  headers: Headers;
  body: unknown;
}

type Answer = Response | Error | ((asked: Asked) => Response | Promise<Response>);

export const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const data = (value: unknown): Response => json(200, { success: true, data: value });

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json(status, { success: false, error: `It is ${code}`, code }, headers);

/** The last answer is given again and again. */
export function answering(...answers: Answer[]) {
  const asked: Asked[] = [];
  const waits: number[] = [];
  return {
    asked,
    /** Between the tries. */
    waits,
    options: {
      url: 'https://phone.example',
      token: 'vcs_test',
      pause: async (ms: number) => void waits.push(ms),
      fetch: (async (url: string, init: RequestInit) => {
        const seen = { url, method: init.method ?? 'GET', headers: new Headers(init.headers), body: init.body };
        asked.push(seen);
        const answer = answers[Math.min(asked.length, answers.length) - 1] as Answer;
        if (answer instanceof Error) throw answer;
        return typeof answer === 'function' ? answer(seen) : answer.clone();
      }) as typeof fetch,
    },
  };
}
