// Each answered turn as a bar of its stages, each interruption, each tool call, what documents gave to a reply and each
// try to reach a person, in the order of the call.
import type { Call } from '../../api-types.ts';
import {
  type BargeIn,
  type LanguageChange,
  type Moment,
  momentsOf,
  type Resumption,
  type Source,
  STAGES,
  type ToolCall,
  type TransferTry,
  type TurnTiming,
} from '../../calls/moments.ts';
import type { Player } from '../../calls/player.ts';
import { formatLanguage, formatNumber, formatPosition } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/layout.tsx';
import { Payload } from '../../ui/payload.tsx';
import { t, words } from '../../words/words.ts';
import { formatMs, GapBar, gapText } from './gap-parts.tsx';

export function TurnTimeline({ call, player }: { call: Call; player: Player }) {
  const { latency } = call;
  const moments = momentsOf(call);
  if (moments.length === 0) return null;
  const longestMs = Math.max(1, ...moments.map((moment) => (moment.kind === 'turn' ? moment.turn.gapMs : 0)));
  return (
    <Card title={t('Turns and tools')}>
      <p class="soft">
        {t('Each answer with its response gap, from the caller’s last sound to the agent’s first.')}
        {latency !== null &&
          latency.turns > 1 &&
          ` ${t('Of {count} answers half came within {half}, 95 in 100 within {most}.', {
            count: formatNumber(latency.turns),
            half: formatMs(latency.p50Ms),
            most: formatMs(latency.p95Ms),
          })}`}
      </p>
      <div class="row small" aria-hidden="true">
        {STAGES.map(([stage, name]) => (
          <span class="row" key={stage}>
            <span class={`stage-key ${stage}`} /> {t(name)}
          </span>
        ))}
      </div>
      <ol class="turns">
        {moments.map((moment, index) => (
          // Two tools may be asked at the same time.
          <li key={`${moment.kind} ${moment.atMs} ${index}`}>
            <Button
              look="plain"
              isSmall
              label={t('Play from {position}', { position: formatPosition(moment.atMs) })}
              onClick={() => player.playFrom(Math.max(0, moment.atMs - 2_000))}
            >
              {formatPosition(moment.atMs)}
            </Button>
            <Entry moment={moment} longestMs={longestMs} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Entry({ moment, longestMs }: { moment: Moment; longestMs: number }) {
  switch (moment.kind) {
    case 'turn':
      return <Turn turn={moment.turn} longestMs={longestMs} />;
    case 'barge-in':
      return <Interruption bargeIn={moment.bargeIn} />;
    case 'resumption':
      return <LineBack resumption={moment.resumption} />;
    case 'tool-call':
      return <UsedTool toolCall={moment.toolCall} />;
    case 'sources':
      return <UsedSources sources={moment.sources} />;
    case 'language':
      return <Changed change={moment.change} />;
    case 'transfer':
      return <Tried transfer={moment.transfer} />;
  }
}

function Turn({ turn, longestMs }: { turn: TurnTiming; longestMs: number }) {
  return (
    <div>
      <GapBar turn={turn} longestMs={longestMs} />
      <span class="small number">
        <strong>{formatMs(turn.gapMs)}</strong> <span class="soft">{gapText(turn)}</span>
      </span>
    </div>
  );
}

const RESULTS: Record<TransferTry['result'], string> = {
  accepted: words('has the caller'),
  declined: words('declined'),
  busy: words('busy'),
  no_answer: words('no answer'),
  machine: words('an answering machine'),
  hung_up: words('hung up before deciding'),
  silent: words('decided nothing'),
  failed: words('could not be called'),
  withdrawn: words('let go'),
};

function Tried({ transfer: { destination, result, tookMs, answeredAtMs } }: { transfer: TransferTry }) {
  return (
    <p>
      <strong>{t('To {destination}', { destination })}</strong>: {t(RESULTS[result])}{' '}
      <span class="soft">
        {t('after {time}', { time: formatMs(tookMs) })}
        {answeredAtMs !== null && `, ${t('picked up at {position}', { position: formatPosition(answeredAtMs) })}`}
      </span>
    </p>
  );
}

const ASKED: Record<LanguageChange['by'], string> = {
  wish: words('the caller asked for it'),
  key: words('by key'),
  detected: words('the caller was heard to speak it'),
};
const KEPT: Record<Exclude<LanguageChange['outcome'], 'changed'>, string> = {
  no_voice: words('No voice speaks it: the call went on as it was.'),
  no_recogniser: words('The recogniser could not hear it: the call went on as it was.'),
};

function Changed({ change: { to, by, outcome } }: { change: LanguageChange }) {
  return (
    <p>
      <strong>
        {outcome === 'changed'
          ? t('In {language}', { language: formatLanguage(to) })
          : t('Not in {language}', { language: formatLanguage(to) })}
      </strong>
      :{' '}
      <span class="soft">
        {t(ASKED[by])}.{outcome !== 'changed' && ` ${t(KEPT[outcome])}`}
      </span>
    </p>
  );
}

const CAUSES: Record<Resumption['cause'], string> = {
  crash: words('its engine had died'),
  upgrade: words('its engine was replaced by a new release'),
  moved: words('its machine was lost'),
};

function LineBack({ resumption: { atMs, gapMs, cause } }: { resumption: Resumption }) {
  return (
    <p>
      <strong>{atMs === 0 ? t('Rang on') : t('Line back')}</strong>:{' '}
      <span class="soft">
        {atMs === 0
          ? t('with nobody for {time}, because {cause}', { time: formatMs(gapMs), cause: t(CAUSES[cause]) })
          : t('gone for {time}, because {cause}', { time: formatMs(gapMs), cause: t(CAUSES[cause]) })}
      </span>
    </p>
  );
}

function Interruption({ bargeIn }: { bargeIn: BargeIn }) {
  return (
    <span class="small number">
      <strong>{t('Interrupted')}</strong>:{' '}
      <span class="soft">{t('the agent was silent after {time}', { time: formatMs(bargeIn.yieldMs) })}</span>
    </span>
  );
}

const OUTCOMES: Record<ToolCall['outcome'], { tone: 'good' | 'warn'; text: string }> = {
  done: { tone: 'good', text: words('Done') },
  refused: { tone: 'warn', text: words('Refused') },
  late: { tone: 'warn', text: words('Too late') },
  unanswered: { tone: 'warn', text: words('No answer') },
};

function UsedTool({ toolCall: { name, tookMs, outcome, arguments: given, result } }: { toolCall: ToolCall }) {
  const { tone, text } = OUTCOMES[outcome];
  return (
    <details class="small">
      <summary>
        <code>{name}</code> <Badge tone={tone}>{t(text)}</Badge>{' '}
        <span class="soft number">{t('after {time}', { time: formatMs(tookMs) })}</span>
      </summary>
      <p>{t('Asked with')}</p>
      <Payload label={t('What {name} was given', { name })} text={JSON.stringify(given)} />
      <p>{t('Answered')}</p>
      <Payload label={t('What {name} answered', { name })} text={JSON.stringify(result)} />
    </details>
  );
}

function UsedSources({ sources }: { sources: readonly Source[] }) {
  const names = [...new Set(sources.map(({ name }) => name))];
  return (
    <details class="small">
      <summary>
        <span class="soft">{t('From')}</span> {names.join(', ')}
      </summary>
      <ul class="passages" aria-label={t('Passages that the reply was made from')}>
        {sources.map(({ documentId, name, heading, passage }) => (
          <li key={`${documentId} ${heading} ${passage}`}>
            <span class="soft">{[name, heading].filter(Boolean).join(', ')}</span>
            <blockquote class="passage">{passage}</blockquote>
          </li>
        ))}
      </ul>
    </details>
  );
}
