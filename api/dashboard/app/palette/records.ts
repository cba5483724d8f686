// All that the palette finds: pages, what one can make, and the account's own records by their names.
import { useEffect, useState } from 'preact/hooks';
import type { FoundContact } from '../api-types.ts';
import { call } from '../client.ts';
import { NAVIGATION } from '../pages.ts';
import { link, personLink } from '../router.ts';
import { session } from '../session.ts';
import { mayOpen } from '../ui/rights.ts';
import { useAll } from '../use-all.ts';
import { t, words } from '../words/words.ts';
import type { Find } from './finds.ts';

const MADE = [
  [words('Place a call'), '/calls/new'],
  [words('Talk to an agent'), '/talk'],
  [words('New agent'), '/agents/new'],
  [words('New business'), '/businesses/new'],
  [words('New campaign'), '/campaigns/new'],
  [words('New tool'), '/tools/new'],
  [words('New test suite'), '/tests/new'],
  [words('New webhook'), '/webhooks/new'],
  [words('Buy a number'), '/phone-numbers/buy'],
  [words('Bring a number along'), '/phone-numbers/port-in/new'],
] as const;

function pageFinds(): Find[] {
  const isAdmin = session.value?.user.role === 'ADMIN';
  const pages = NAVIGATION.filter((group) => isAdmin || !group.isAdmin).flatMap(({ links, isAdmin: isOfAdmin }) =>
    links.map(([to, text]) => ({
      text: t(text),
      kind: isOfAdmin ? t('Administration') : t('Page'),
      address: link(to),
    })),
  );
  return [
    ...pages,
    ...MADE.filter(([, to]) => mayOpen(to)).map(([text, to]) => ({ text: t(text), kind: t('Do'), address: link(to) })),
  ];
}

/** As much as is loaded so far; a list that cannot be read is left out. */
export function useFinds(): { finds: readonly Find[]; isLoading: boolean } {
  const lists = [
    { kind: t('Agent'), to: '/agents', list: useAll('listAgents') },
    { kind: t('Business'), to: '/businesses', list: useAll('listBusinesses') },
    { kind: t('Campaign'), to: '/campaigns', list: useAll('listCampaigns') },
    { kind: t('Number'), to: '/phone-numbers', list: useAll('listPhoneNumbers') },
    { kind: t('Tool'), to: '/tools', list: useAll('listTools') },
    { kind: t('Test suite'), to: '/tests', list: useAll('listTestSuites') },
  ];
  const records = lists.flatMap(({ kind, to, list: { answer } }) =>
    (answer ?? []).map((record) => ({
      text: 'phoneNumber' in record ? record.phoneNumber : record.name,
      kind,
      address: link(`${to}/${record.id}`),
    })),
  );
  return { finds: [...pageFinds(), ...records], isLoading: lists.some(({ list }) => list.isLoading) };
}

/** Typing goes on sooner than an answer comes. */
const PAUSE_MS = 150;
const CONTACT_LETTERS_MIN = 2;

/** The contacts whose name or number has what is typed. */
export function useContacts(typed: string): readonly Find[] {
  const search = typed.trim();
  const [found, setFound] = useState<{ search: string; finds: Find[] }>({ search: '', finds: [] });
  useEffect(() => {
    if (search.length < CONTACT_LETTERS_MIN) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      call('searchContacts', { query: { search } }, { signal: abort.signal }).then(
        ({ data }) => setFound({ search, finds: data.map(contactFind) }),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [search]);
  return found.search === search ? found.finds : [];
}

const contactFind = ({ name, phoneNumber, campaignName }: FoundContact): Find => ({
  text: name === null ? phoneNumber : `${name}, ${phoneNumber}`,
  kind: t('Contact of {name}', { name: campaignName }),
  address: personLink(phoneNumber),
});
