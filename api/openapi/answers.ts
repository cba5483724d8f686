// Describes the answers: successes by their contents, errors as shared components with their possible codes.
import { ERROR_CODES } from '../error-codes.ts';
import type { Document, Json, Operation } from './components.ts';

const UNDESCRIBED = 'Default Response';
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer' } },
};

/** Describes the answers of all operations, in place. */
export function describeAnswers(document: Document): void {
  const shared: Record<string, Json> = {};
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      if (response.description === UNDESCRIBED) response.description = successText(status, response);
      if (Number(status) < 400) continue;
      shared[`Error${status}`] ??= errorResponse(Number(status), String(response.description));
      (operation.responses as NonNullable<Operation['responses']>)[status] = {
        $ref: `#/components/responses/Error${status}`,
      };
    }
  }
  document.components.responses = Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function successText(status: string, response: Json): string {
  const { content = {} } = response as { content?: Record<string, { schema?: { $ref?: string } }> };
  const name = Object.values(content)[0]?.schema?.$ref?.split('/').at(-1) ?? '';
  if (name.endsWith('Page')) return 'A page, newest first';
  if (name.endsWith('List')) return 'All of them';
  return status === '201' ? 'Created' : 'Done';
}

function errorResponse(status: number, description: string): Json {
  const codes = Object.entries(ERROR_CODES).filter(([, entry]) => entry.status === status);
  const [[code, { meaning }] = ['BAD_REQUEST', { meaning: '' }]] = codes;
  return {
    description: `${description}. Codes: ${codes.map(([name]) => `\`${name}\``).join(', ')}`,
    ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: {
          success: false,
          error: meaning,
          code,
          ...(status === 422
            ? { errors: [{ field: 'contacts[3].phoneNumber', message: 'must be a valid phone number in E.164 form' }] }
            : {}),
        },
      },
    },
  };
}
