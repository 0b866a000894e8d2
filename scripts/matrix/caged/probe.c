/* An addon that is the answer of Node to an external array: a status of Node-API. */

#include <stddef.h>

int napi_create_external_arraybuffer(void *env, void *data, size_t length, void *finalize,
                                     void *hint, void **result);
int napi_create_int32(void *env, int value, void **result);

static char bytes[8];

void *napi_register_module_v1(void *env, void *exports) {
  void *result = exports;
  int status = napi_create_external_arraybuffer(env, bytes, sizeof bytes, NULL, NULL, &result);
  napi_create_int32(env, status, &result);
  return result;
}
