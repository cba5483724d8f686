// The facts of a call: parties, times, end and summary.
import type { ComponentChildren } from 'preact';
import type { Operations } from '../../api-operations.ts';
import type { Call } from '../../api-types.ts';
import { AppointmentTime } from '../../appointments/appointment-time.tsx';
import { CallStatus } from '../../calls/call-status.tsx';
import { causeWords, reasonWords, sipWords } from '../../calls/words.ts';
import { formatDuration, formatLanguage, formatNumber, formatWord } from '../../format.ts';
import { link, personLink } from '../../router.ts';
import { Badge, Card, Facts } from '../../ui/layout.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';

const MODELS = {
  stt: 'Recogniser',
  tts: 'Voice',
  llm: 'Language model',
  'speech-to-speech': 'Speech-to-speech model',
};

interface NamedProps {
  of: 'getCampaign' | 'getAgent' | 'getBusiness';
  path: string;
  id: string;
  /** By which the call was led. */
  version?: number | null;
}

function Named({ of, path, id, version = null }: NamedProps) {
  const { answer } = useApi<'getCampaign' | 'getAgent' | 'getBusiness'>(of, { params: { id } });
  const record: Operations['getAgent']['answer']['data'] | { name: string } | undefined = answer?.data;
  return (
    <>
      <a href={link(`${path}/${id}`)}>{record?.name ?? id}</a>
      {version !== null && <span class="soft">, version {version}</span>}
    </>
  );
}

function numberText(number: string): string {
  if (number === '') return 'withheld or erased';
  return number === 'web' ? 'Browser' : number;
}

/** The other side's: the page of the person. */
const Other = ({ number }: { number: string }) =>
  number.startsWith('+') ? <a href={personLink(number)}>{number}</a> : numberText(number);

export function CallFacts({ call }: { call: Call }) {
  const { callerName, fromNumber, toNumber, sipStatus, q850Cause, endReason } = call;
  const isInbound = call.direction === 'inbound';
  return (
    <Card title="Call">
      <Facts
        facts={[
          ['Result', <CallStatus call={call} key="status" />],
          ['Why it ended', endReason === null ? null : reasonWords(endReason)],
          ['Direction', isInbound ? 'Inbound' : 'Outbound'],
          ['From', isInbound ? <Other key="from" number={fromNumber} /> : numberText(fromNumber)],
          ['To', isInbound ? numberText(toNumber) : <Other key="to" number={toNumber} />],
          ['Name', callerName],
          ['Began', <Time at={call.startedAt} key="began" />],
          ['Ended', call.endedAt === null ? null : <Time at={call.endedAt} key="ended" />],
          ['Duration', call.endedAt === null ? null : formatDuration(call.durationSeconds)],
          ['Languages', call.languages.length < 2 ? null : call.languages.map(formatLanguage).join(' → ')],
          ['Waits', call.waits === null ? null : waitsText(call.waits)],
          ['Network', sipStatus === null ? null : sipWords(sipStatus)],
          ['Network’s cause', q850Cause === null ? null : causeWords(q850Cause)],
          ['Campaign', <Named key="campaign" of="getCampaign" path="/campaigns" id={call.campaignId} />],
          ['Agent', <Named key="agent" of="getAgent" path="/agents" id={call.agentId} version={call.agentVersion} />],
          [
            'Business',
            <Named
              key="business"
              of="getBusiness"
              path="/businesses"
              id={call.businessId}
              version={call.businessVersion}
            />,
          ],
          ['Sentiment', call.sentiment === null ? null : formatWord(call.sentiment)],
          ['Summary', call.summary],
          ['Tags', call.tags.length === 0 ? null : <Tags key="tags" tags={call.tags} />],
        ]}
      />
    </Card>
  );
}

/** Words such as "Let me see" and apologies, which are no answers. */
function waitsText({ count, longestMs }: NonNullable<Call['waits']>): string {
  const times = count === 1 ? 'Once' : `${formatNumber(count)} times`;
  return `${times} before an answer, at most ${formatNumber(Math.round(longestMs / 100) / 10)} s`;
}

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span class="row">
    {tags.map((tag) => (
      <Badge key={tag}>{tag}</Badge>
    ))}
  </span>
);

/** The client's data of the call, and the usage of its models; empty ones are not shown. */
export function CallDetails({ call }: { call: Call }) {
  const { usage, fallbacks, variables, metadata } = call;
  const counts: Array<[string, ComponentChildren]> = [];
  if (usage !== null) {
    const count = (value: number | null) => (value === null ? null : formatNumber(value));
    counts.push(
      ['Requests to the model', formatNumber(usage.requests)],
      ['Prompt tokens', count(usage.promptTokens)],
      ['Of these from the cache', count(usage.cachedTokens)],
      ['Tokens of replies', count(usage.completionTokens)],
      ['Requests to the second model', usage.fallbackRequests === 0 ? null : formatNumber(usage.fallbackRequests)],
      ['Replies never spoken', usage.discardedRequests === 0 ? null : formatNumber(usage.discardedRequests)],
    );
  }
  for (const fallback of fallbacks) {
    const why = fallback.reason === undefined ? '' : ` (${fallback.reason})`;
    counts.push([`${MODELS[fallback.model]} ${fallback.from} failed${why}`, tookOver(fallback)]);
  }
  return (
    <>
      <Texts title="Variables" texts={variables} />
      <Texts title="Metadata" texts={metadata} />
      {counts.length > 0 && (
        <Card title="Models">
          <Facts facts={counts} />
        </Card>
      )}
    </>
  );
}

function tookOver({ model, to, count }: Call['fallbacks'][number]): string {
  if (model === 'speech-to-speech') return 'Recogniser, language model and voice went on';
  const times = count === 1 ? 'once' : `${formatNumber(count)} times`;
  return model === 'llm' && to === 'message' ? `Nobody answered, ${times}` : `${to} took over ${times}`;
}

function Texts({ title, texts }: { title: string; texts: Record<string, string> }) {
  const entries = Object.entries(texts);
  if (entries.length === 0) return null;
  return (
    <Card title={title}>
      <Facts facts={entries} />
    </Card>
  );
}

export function CallAppointments({ call }: { call: Call }) {
  const hasAny = call.appointments.length > 0;
  const business = useApi('getBusiness', hasAny ? { params: { id: call.businessId } } : null);
  if (!hasAny) return null;
  return (
    <Card title="Appointments">
      {call.appointments.map(({ id, service, startsAt, endsAt, name, phone, notes, status }) => (
        <Facts
          key={id}
          facts={[
            [
              'When',
              <AppointmentTime
                key="when"
                startsAt={startsAt}
                endsAt={endsAt}
                zone={business.answer?.data.timezone ?? null}
              />,
            ],
            ['What', service],
            ['Name', name],
            ['Phone', phone],
            ['Notes', notes],
            ['Status', status === 'booked' ? 'Booked' : 'Cancelled'],
          ]}
        />
      ))}
    </Card>
  );
}
