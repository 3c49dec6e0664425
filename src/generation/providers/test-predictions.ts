/**
 * True for ids that begin with `test-`. These predictions exist only in the database (fan spec, section 4, rule 9); the
 * provider does not know them. They can be started only with the image sandbox.
 */
export function isTestPrediction(predictionId: string): boolean {
  return predictionId.startsWith('test-');
}
