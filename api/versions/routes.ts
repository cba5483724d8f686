// /agents/:id/versions, /businesses/:id/versions and /tools/:id/versions.
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import {
  AgainstQuery,
  SubjectParams,
  VersionParams,
  VersionQuery,
  VersionRecord,
  VersionWithContent,
} from './schema.ts';
import { listVersionRecords, readVersion, restoreVersion } from './service.ts';
import { SUBJECTS } from './subjects.ts';

export function registerVersions(app: App, context: ApiContext): void {
  for (const subject of SUBJECTS) {
    const { name, path, tag, record } = subject;
    const tags = [tag];
    app.get(
      `${path}/:id/versions`,
      {
        schema: {
          tags,
          summary: `Versions of the ${name}, newest first, and what each has changed`,
          description:
            'Each change makes a version. The newest 200 are kept, or fewer where their texts are longer than 2,000,000 characters together.',
          params: SubjectParams,
          querystring: VersionQuery,
          response: { 200: okList(VersionRecord), ...errorResponses(401, 404, 422, 429) },
        },
      },
      (request) => listVersionRecords(context, subject, request.auth.accountId, request.params.id, request.query),
    );
    app.get(
      `${path}/:id/versions/:number`,
      {
        schema: {
          tags,
          summary: `One version of the ${name}, and what differs from another`,
          params: VersionParams,
          querystring: AgainstQuery,
          response: { 200: ok(VersionWithContent), ...errorResponses(401, 404, 422, 429) },
        },
      },
      async (request) => {
        const { params, query, auth } = request;
        return { data: await readVersion(context, subject, auth.accountId, placeOf(params), query.against) };
      },
    );
    app.post(
      `${path}/:id/versions/:number/restore`,
      {
        schema: {
          tags,
          summary: `Make the ${name} what it was in a version`,
          description:
            'The fields that differ are changed as by a PATCH, and a new version is made. Values of headers are in no version.',
          params: VersionParams,
          response: { 200: ok(record), ...errorResponses(400, 401, 404, 409, 422, 429) },
        },
      },
      async (request) => restoreVersion(context, subject, request.auth, placeOf(request.params)),
    );
  }
}

/** A text that is no number names a version that is not there. */
const placeOf = ({ id, number }: { id: string; number: string }) => ({
  id,
  number: /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0,
});
