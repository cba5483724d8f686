// Finds where a number rings, as IANA time zones, for the recipient's local time. A country with one zone needs no
// more. In the others the prefix decides; if it leaves the zone open, all zones of the country apply, and a call is
// placed only when the window is open in each.
import { countryOf } from './phone.ts';

/**
 * Area codes of the North American Numbering Plan (country code 1) by zone: NANPA's assignments for the United States
 * and Canada. An area in two zones is listed in both. A code missing here (toll-free, new overlays) gets all zones of
 * its country.
 */
const NANP: ReadonlyArray<readonly [zone: string, areaCodes: string]> = [
  [
    'America/New_York',
    // CT DE DC FL GA IN KY ME MD MA MI NH NJ NY NC OH PA RI SC TN VT VA WV
    `203 475 860 959 302 202 771 239 305 321 324 352 386 407 448 561 645 656 689 727 728 754 772 786 813 850 863 904 941
     954 229 404 470 478 678 706 762 770 912 943 219 260 317 463 574 765 812 930 270 364 502 606 859 207 227 240 301 410
     443 667 339 351 413 508 617 774 781 857 978 231 248 269 313 517 586 616 679 734 810 906 947 989 603 201 551 609 640
     732 848 856 862 908 973 212 315 329 332 347 363 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934 252
     336 472 704 743 828 910 919 980 984 216 220 234 283 326 330 380 419 436 440 513 567 614 740 937 215 223 267 272 412
     445 484 570 582 610 717 724 814 835 878 401 803 821 839 843 854 864 423 865 802 276 434 540 571 686 703 757 804 826
     948 304 681`,
  ],
  [
    'America/Chicago',
    // AL AR FL (west) IL IN (corners) IA KS KY (west) LA MI (four counties) MN MS MO NE ND OK SD TN TX WI
    `205 251 256 334 659 938 327 479 501 870 448 850 217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872
     219 574 812 930 319 515 563 641 712 316 620 785 913 270 364 225 318 337 457 504 985 906 218 320 507 612 651 763 924
     952 228 601 662 769 235 314 417 557 573 636 660 816 975 308 402 531 701 405 539 572 580 918 605 423 615 629 731 901
     931 210 214 254 281 325 346 361 409 430 432 469 512 621 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979
     262 274 353 414 534 608 715 920`,
  ],
  [
    'America/Denver',
    // AZ (Navajo Nation) CO ID (south) KS, NE, ND, SD (west) MT NM OR (Malheur) TX (El Paso) UT WY
    '928 303 719 720 970 983 208 986 620 785 308 701 605 406 505 575 458 541 432 915 385 435 801 307',
  ],
  ['America/Phoenix', '480 520 602 623 928'],
  [
    'America/Los_Angeles',
    // CA ID (north) NV OR WA
    `209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760
     805 818 820 831 837 840 858 909 916 925 949 951 208 986 702 725 775 458 503 541 971 206 253 360 425 509 564`,
  ],
  ['America/Anchorage', '907'],
  ['America/Adak', '907'],
  ['Pacific/Honolulu', '808'],
  ['America/St_Johns', '709 879'],
  ['America/Halifax', '902 782 709 879 418 581 367'],
  ['America/Moncton', '506 428'],
  [
    'America/Toronto',
    `418 581 367 438 514 263 450 579 354 819 873 468 226 249 289 343 365 382 416 437 519 548 613 647 683 705 742 753 807
     905 942 867`,
  ],
  ['America/Winnipeg', '204 431 584 807 867'],
  ['America/Regina', '306 639 474'],
  ['America/Edmonton', '403 587 780 825 368 306 639 474 250 778 236 672 257 867'],
  ['America/Vancouver', '604 250 778 236 672 257'],
  ['America/Whitehorse', '867'],
];

/** Prefixes that narrow down the zone in other countries with several zones, longest first. */
const PREFIXES: ReadonlyArray<readonly [prefix: string, zones: readonly string[]]> = [
  // Australia, by geographic area: 2 NSW and ACT, 3 Victoria and Tasmania, 7 Queensland, 8 the centre and the west.
  ['+612', ['Australia/Sydney', 'Australia/Broken_Hill']],
  ['+613', ['Australia/Melbourne']],
  ['+617', ['Australia/Brisbane']],
  ['+618', ['Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth']],
  // Brazil, by DDD: Amazonas, Roraima, Rondônia, Acre, Mato Grosso and its south; Pernambuco with Fernando de Noronha.
  ['+5568', ['America/Rio_Branco']],
  ['+5565', ['America/Cuiaba']],
  ['+5566', ['America/Cuiaba']],
  ['+5567', ['America/Campo_Grande']],
  ['+5569', ['America/Porto_Velho']],
  ['+5592', ['America/Manaus']],
  ['+5595', ['America/Boa_Vista']],
  ['+5597', ['America/Manaus', 'America/Eirunepe']],
  ['+5581', ['America/Recife', 'America/Noronha']],
  ...['1', '2', '3', '4', '5', '7', '8', '9', '6'].map(
    (digit) => [`+55${digit}`, ['America/Sao_Paulo']] as [string, string[]],
  ),
  // Russia: Moscow and Saint Petersburg; mobile numbers may be anywhere.
  ...['495', '496', '498', '499', '812', '813'].map((code) => [`+7${code}`, ['Europe/Moscow']] as [string, string[]]),
  // Spain: the two provinces of the Canary Islands; landlines elsewhere are on the mainland or the Balearics.
  ['+34822', ['Atlantic/Canary']],
  ['+34828', ['Atlantic/Canary']],
  ['+34922', ['Atlantic/Canary']],
  ['+34928', ['Atlantic/Canary']],
  ['+348', ['Europe/Madrid']],
  ['+349', ['Europe/Madrid']],
  // Portugal: the Azores and Madeira; other landlines are on the mainland.
  ['+351291', ['Atlantic/Madeira']],
  ['+351292', ['Atlantic/Azores']],
  ['+351295', ['Atlantic/Azores']],
  ['+351296', ['Atlantic/Azores']],
  ['+3512', ['Europe/Lisbon']],
  // New Zealand: one time everywhere except the Chatham Islands, which share the South Island's 3.
  ['+644', ['Pacific/Auckland']],
  ['+646', ['Pacific/Auckland']],
  ['+647', ['Pacific/Auckland']],
  ['+649', ['Pacific/Auckland']],
  // China has one legal time; ICU also knows the unofficial one of Xinjiang (991-999, 90x).
  ['+8699', ['Asia/Shanghai', 'Asia/Urumqi']],
  ['+8690', ['Asia/Shanghai', 'Asia/Urumqi']],
  ['+86', ['Asia/Shanghai']],
];

/** Countries without a zone in ICU. */
const COUNTRIES: Record<string, readonly string[]> = {
  AC: ['Atlantic/St_Helena'],
  TA: ['Atlantic/St_Helena'],
  XK: ['Europe/Belgrade'],
};

/** Zones without telephones. */
const UNINHABITED: ReadonlySet<string> = new Set(['Antarctica/Macquarie']);

const byAreaCode = new Map<string, string[]>();
for (const [zone, codes] of NANP) {
  for (const code of codes.split(/\s+/)) byAreaCode.set(code, [...(byAreaCode.get(code) ?? []), zone]);
}

/** Cached numbers: a campaign asks for the same ones each day. */
const REMEMBERED_MAX = 50_000;
const remembered = new Map<string, readonly string[]>();

/**
 * The IANA zones in which `e164` may ring, at least one; `fallbackZone` if the number has no country (+800, +881).
 * Never throws.
 */
export function zonesOfNumber(e164: string, fallbackZone: string): readonly string[] {
  const known = remembered.get(e164);
  if (known !== undefined) return known.length > 0 ? known : [fallbackZone];
  const zones = findZones(e164);
  if (remembered.size >= REMEMBERED_MAX) {
    const oldest = remembered.keys().next().value;
    if (oldest !== undefined) remembered.delete(oldest);
  }
  remembered.set(e164, zones);
  return zones.length > 0 ? zones : [fallbackZone];
}

function findZones(e164: string): readonly string[] {
  if (e164.startsWith('+1')) {
    const zones = byAreaCode.get(e164.slice(2, 5));
    if (zones !== undefined) return zones;
  }
  const prefix = PREFIXES.find(([start]) => e164.startsWith(start));
  if (prefix !== undefined) return prefix[1];
  const country = countryOf(e164);
  return country === null ? [] : zonesOfCountry(country);
}

/** By ISO 3166 code, from Node's CLDR data (Intl.Locale's timeZones); empty if unknown. */
function zonesOfCountry(country: string): readonly string[] {
  const listed = COUNTRIES[country];
  if (listed !== undefined) return listed;
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { timeZones?: string[] };
  return (locale.timeZones ?? []).filter((zone) => !UNINHABITED.has(zone));
}
