// The words of alerts in the languages of mails. Placeholders stand in double braces.
import type { AlertMetric } from '../../db/domain/alerts/metrics.ts';
import type { MailLanguage } from './mail-language.ts';

interface AlertLetters {
  /** {{name}} */
  fires: string;
  over: string;
  metrics: Record<AlertMetric, string>;
  /** {{value}}, {{calls}} calls, {{window}} minutes. */
  value: string;
  /** {{value}}, {{window}} */
  limit: Record<'above' | 'below', string>;
  /** In place of the value. */
  unknown: string;
  labels: Record<'rule' | 'when' | 'figure' | 'limit', string>;
}

export const ALERT_LETTERS: Readonly<Record<MailLanguage, AlertLetters>> = {
  en: {
    fires: 'Alert: {{name}}',
    over: 'Over: {{name}}',
    metrics: {
      calls: 'Calls',
      failed_share: 'Share of calls that failed',
      transferred_share: 'Share of calls put through to a person',
      early_hangup_share: 'Share of callers who hung up within 20 s',
      answer_gap_p95_ms: 'Wait for an answer, in 95 of 100 calls at most',
      cost: 'Cost of the calls',
      outbound_minutes: 'Minutes of outbound calls',
      agent_failures: 'Calls that the agent left without an answer',
      carrier_refusals: 'Outbound calls that the carrier refused',
    },
    value: '{{value}} ({{calls}} calls within {{window}} minutes)',
    limit: { above: 'more than {{value}}', below: 'less than {{value}}' },
    unknown: 'too few calls',
    labels: { rule: 'Rule', when: 'When', figure: 'Figure', limit: 'Told when it is' },
  },
  de: {
    fires: 'Alarm: {{name}}',
    over: 'Vorbei: {{name}}',
    metrics: {
      calls: 'Anrufe',
      failed_share: 'Anteil der gescheiterten Anrufe',
      transferred_share: 'Anteil der weitergegebenen Anrufe',
      early_hangup_share: 'Anteil derer, die innerhalb von 20 s auflegten',
      answer_gap_p95_ms: 'Wartezeit auf eine Antwort, in 95 von 100 Anrufen höchstens',
      cost: 'Kosten der Anrufe',
      outbound_minutes: 'Minuten abgehender Anrufe',
      agent_failures: 'Anrufe, die der Agent ohne Antwort ließ',
      carrier_refusals: 'Abgehende Anrufe, die der Anbieter ablehnte',
    },
    value: '{{value}} ({{calls}} Anrufe in {{window}} Minuten)',
    limit: { above: 'mehr als {{value}}', below: 'weniger als {{value}}' },
    unknown: 'zu wenige Anrufe',
    labels: { rule: 'Regel', when: 'Wann', figure: 'Wert', limit: 'Gemeldet bei' },
  },
  fr: {
    fires: 'Alerte : {{name}}',
    over: 'Terminé : {{name}}',
    metrics: {
      calls: 'Appels',
      failed_share: 'Part des appels échoués',
      transferred_share: 'Part des appels transférés',
      early_hangup_share: 'Part des appels raccrochés avant 20 s',
      answer_gap_p95_ms: 'Attente d’une réponse, au plus dans 95 appels sur 100',
      cost: 'Coût des appels',
      outbound_minutes: 'Minutes d’appels sortants',
      agent_failures: 'Appels laissés sans réponse par l’agent',
      carrier_refusals: 'Appels sortants refusés par l’opérateur',
    },
    value: '{{value}} ({{calls}} appels en {{window}} minutes)',
    limit: { above: 'plus de {{value}}', below: 'moins de {{value}}' },
    unknown: 'trop peu d’appels',
    labels: { rule: 'Règle', when: 'Quand', figure: 'Valeur', limit: 'Signalé à' },
  },
  es: {
    fires: 'Alerta: {{name}}',
    over: 'Terminado: {{name}}',
    metrics: {
      calls: 'Llamadas',
      failed_share: 'Parte de llamadas fallidas',
      transferred_share: 'Parte de llamadas transferidas',
      early_hangup_share: 'Parte de llamadas colgadas antes de 20 s',
      answer_gap_p95_ms: 'Espera de una respuesta, como máximo en 95 de 100 llamadas',
      cost: 'Coste de las llamadas',
      outbound_minutes: 'Minutos de llamadas salientes',
      agent_failures: 'Llamadas que el agente dejó sin respuesta',
      carrier_refusals: 'Llamadas salientes que el operador rechazó',
    },
    value: '{{value}} ({{calls}} llamadas en {{window}} minutos)',
    limit: { above: 'más de {{value}}', below: 'menos de {{value}}' },
    unknown: 'muy pocas llamadas',
    labels: { rule: 'Regla', when: 'Cuándo', figure: 'Valor', limit: 'Se avisa con' },
  },
  it: {
    fires: 'Avviso: {{name}}',
    over: 'Finito: {{name}}',
    metrics: {
      calls: 'Chiamate',
      failed_share: 'Quota di chiamate fallite',
      transferred_share: 'Quota di chiamate trasferite',
      early_hangup_share: 'Quota di chiamate chiuse entro 20 s',
      answer_gap_p95_ms: 'Attesa di una risposta, al massimo in 95 chiamate su 100',
      cost: 'Costo delle chiamate',
      outbound_minutes: 'Minuti di chiamate in uscita',
      agent_failures: 'Chiamate lasciate senza risposta dall’agente',
      carrier_refusals: 'Chiamate in uscita rifiutate dall’operatore',
    },
    value: '{{value}} ({{calls}} chiamate in {{window}} minuti)',
    limit: { above: 'più di {{value}}', below: 'meno di {{value}}' },
    unknown: 'troppo poche chiamate',
    labels: { rule: 'Regola', when: 'Quando', figure: 'Valore', limit: 'Segnalato con' },
  },
  nl: {
    fires: 'Melding: {{name}}',
    over: 'Voorbij: {{name}}',
    metrics: {
      calls: 'Gesprekken',
      failed_share: 'Aandeel mislukte gesprekken',
      transferred_share: 'Aandeel doorverbonden gesprekken',
      early_hangup_share: 'Aandeel dat binnen 20 s ophing',
      answer_gap_p95_ms: 'Wachttijd op een antwoord, hoogstens in 95 van 100 gesprekken',
      cost: 'Kosten van de gesprekken',
      outbound_minutes: 'Minuten van uitgaande gesprekken',
      agent_failures: 'Gesprekken die de agent zonder antwoord liet',
      carrier_refusals: 'Uitgaande gesprekken die de provider weigerde',
    },
    value: '{{value}} ({{calls}} gesprekken in {{window}} minuten)',
    limit: { above: 'meer dan {{value}}', below: 'minder dan {{value}}' },
    unknown: 'te weinig gesprekken',
    labels: { rule: 'Regel', when: 'Wanneer', figure: 'Waarde', limit: 'Gemeld bij' },
  },
  pt: {
    fires: 'Alerta: {{name}}',
    over: 'Terminado: {{name}}',
    metrics: {
      calls: 'Chamadas',
      failed_share: 'Parte de chamadas falhadas',
      transferred_share: 'Parte de chamadas transferidas',
      early_hangup_share: 'Parte de chamadas desligadas antes de 20 s',
      answer_gap_p95_ms: 'Espera por uma resposta, no máximo em 95 de 100 chamadas',
      cost: 'Custo das chamadas',
      outbound_minutes: 'Minutos de chamadas efetuadas',
      agent_failures: 'Chamadas que o agente deixou sem resposta',
      carrier_refusals: 'Chamadas efetuadas que a operadora recusou',
    },
    value: '{{value}} ({{calls}} chamadas em {{window}} minutos)',
    limit: { above: 'mais de {{value}}', below: 'menos de {{value}}' },
    unknown: 'chamadas a menos',
    labels: { rule: 'Regra', when: 'Quando', figure: 'Valor', limit: 'Avisa com' },
  },
};
