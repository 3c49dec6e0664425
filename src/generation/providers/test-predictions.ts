/**
 * Predictions whose id begins with `test-` exist in the database alone (fan spec, section 4, rule 9): nothing draws them and
 * the provider is never asked about them. They can be started only while the image sandbox runs.
 */
export function isTestPrediction(predictionId: string): boolean {
  return predictionId.startsWith('test-');
}
