module paymentengine

go 1.24
