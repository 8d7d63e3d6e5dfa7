#include "net/net.h"
int main(void) { return 0; } 
