// Examples of the records that tell what a web site says.

const url = 'https://rivera.example/contact';
const source = { field: 'phone', text: 'Call us on (212) 555-0123', url, by: 'text' };
const doubt = { field: 'hours', text: 'In summer we are open until eight.', url };
const unread = { field: 'services', text: '$12 per ten minutes', url };

export const SITE_EXAMPLES: Record<string, unknown> = {
  Source: source,
  Doubt: doubt,
  Unread: unread,
  Site: {
    pages: [
      { url: 'https://rivera.example', kind: null },
      { url, kind: 'contact' },
    ],
    language: 'en',
    country: 'US',
    currency: 'USD',
    timezone: null,
    industry: 'Dentist',
    extracted: { name: 'Rivera Dental', phone: '+12125550123' },
    sources: [source],
    doubts: [doubt],
    unread: [unread],
  },
};
