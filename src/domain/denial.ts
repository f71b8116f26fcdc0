const DENIES =
  /(?<![\p{L}\p{N}])(?:not|no|never|none|nor|neither|nobody|nothing|without|cannot)(?![\p{L}\p{N}])|n['’]t(?![\p{L}\p{N}])/iu

/** True if any word of a text denies. */
export const denies = (text: string): boolean => DENIES.test(text)
