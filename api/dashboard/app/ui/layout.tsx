// The layout of a page: heading with actions, cards, facts, figures, badges, notices.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

export const PRODUCT = 'Voice Calls';

export function Page({
  title,
  lead,
  actions,
  back,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  back?: { href: string; text: string };
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
  }, [title]);
  return (
    <div class="page">
      <header>
        <div class="stack tight">
          {back && (
            <a class="small back" href={back.href}>
              ← {back.text}
            </a>
          )}
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
}: {
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card">
      {(title !== undefined || actions !== undefined) && (
        <header>
          {title !== undefined && <h2>{title}</h2>}
          {actions !== undefined && <div class="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'live';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Notice({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** Names and values of a record; null and undefined values are left out. */
export function Facts({ facts }: { facts: ReadonlyArray<[name: string, value: ComponentChildren]> }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
    </dl>
  );
}

type Figure = readonly [name: string, value: ComponentChildren, note?: string | null];

/** Figures at a glance, each with a note beneath its name. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div class="figure" key={name}>
          <dt>
            {name}
            {note && <div class="number">{note}</div>}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shown for an empty list, with the next action. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

export function Progress({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  return (
    <div
      class="progress"
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
    >
      <div style={{ width: `${share * 100}%` }} />
    </div>
  );
}
