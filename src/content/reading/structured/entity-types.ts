import type { EntityType } from './structured-data.ts';

const KINDS: Readonly<Record<EntityType, string>> = {
  Product: 'Product ProductGroup ProductModel IndividualProduct SomeProducts Vehicle Car Motorcycle',
  Article:
    'Article NewsArticle BlogPosting TechArticle ScholarlyArticle MedicalScholarlyArticle Report ReportageNewsArticle OpinionNewsArticle AnalysisNewsArticle BackgroundNewsArticle AskPublicNewsArticle ReviewNewsArticle AdvertiserContentArticle SatiricalArticle SocialMediaPosting LiveBlogPosting DiscussionForumPosting APIReference',
  JobPosting: 'JobPosting',
  Recipe: 'Recipe',
  Event: 'Event Festival Hackathon EventSeries CourseInstance',
  Organization:
    'Organization Corporation NGO Airline Consortium Cooperative Project LocalBusiness Hotel Motel Hostel Resort Bakery BarOrPub Brewery CafeOrCoffeeShop Winery Dentist Physician Hospital Pharmacy Library Attorney Notary BankOrCreditUnion School CollegeOrUniversity HighSchool ElementarySchool Preschool SportsTeam MusicGroup Florist ChildCare Electrician Plumber Locksmith HousePainter MovieTheater NightClub SportsClub HealthClub',
  BreadcrumbList: 'BreadcrumbList',
  FAQPage: 'FAQPage',
  Review: 'Review Recommendation',
  Offer: 'Offer AggregateOffer OfferForPurchase OfferForLease',
};

const TYPE_BY_KIND = new Map(
  Object.entries(KINDS).flatMap(([type, kinds]) =>
    kinds.split(' ').map((kind): [string, EntityType] => [kind, type as EntityType]),
  ),
);

/** The names of most special types of schema.org end with the name of the general type. */
const TYPE_BY_ENDING: readonly (readonly [RegExp, EntityType])[] = [
  [/Event$/, 'Event'],
  [/Review$/, 'Review'],
  [
    /(?:Organization|Business|Store|Restaurant|Company|Agency|Dealer|Salon|Shop|Office|Association)$/,
    'Organization',
  ],
];

/** The entity type to which one of the types of schema.org belongs; null if none does. */
export function entityTypeOf(types: readonly string[]): EntityType | null {
  for (const type of types) {
    const found = TYPE_BY_KIND.get(type) ?? TYPE_BY_ENDING.find(([ending]) => ending.test(type))?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** Types of the main thing of a page. A page has one such thing, even if it states it in two syntaxes. */
export const MAIN_TYPES: readonly EntityType[] = ['Product', 'Article', 'Recipe', 'Event', 'JobPosting'];
/** Types of things that a page has once, but that are not its main thing. */
export const ONCE_TYPES: readonly EntityType[] = ['BreadcrumbList', 'FAQPage'];
