/** Of the whole drawings, px; their skeletons have the same. */
export const OUTCOMES_HEIGHT = 232;
export const LATENCY_HEIGHT = 180;
